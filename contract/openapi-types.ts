// Generated from openapi.yaml by "npm run generate".

export interface paths {
    "/api/admin/user-admin/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Partially update a user
         * @description Changes the members of the user that are in the body and leaves all others unchanged. The response is the user after the change.
         *
         *     - Any of `name`, `email` and `rootRole` may be sent alone or together with the others.
         *     - The values sent are stored. They appear in this response and in later ones wherever the server shows these members.
         *     - A refused request (400, 401, 403, 404) leaves every user exactly as it was. If one member of the body is invalid, the valid ones are not applied either.
         *     - The server converts no values: the number `5` and the boolean `true` are not names, and `null` is neither a name nor an e-mail address.
         *
         *     Order of checks: a well-formed JSON request with a missing or invalid key gets a 401 response, whatever else is wrong with it.
         *     The order of 403, 400 and 404 is unspecified.
         */
        put: operations["updateUser"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/banners": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List all banners
         * @description Responds with every configured banner, whether enabled or not. The operation has no parameters and no request body.
         *     A service without banners responds with an empty array.
         */
        get: operations["listBanners"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description The members of a user to change. Every member is optional. The server may ignore members that are not listed here, or refuse them with 400. */
        updateUserSchema: {
            /** @description The user's name (not the username). */
            name?: string;
            /** @description The user's e-mail address. It may be omitted even when nothing else identifies the user; see `open.email-required-note`. */
            email?: string;
            /** @description The user's root role, in the form that the server accepts: usually the integer id of the role. */
            rootRole?: number | {
                [key: string]: unknown;
            };
        };
        /** @description A user. Only `id` is always present. Other members may appear; clients ignore those that are not listed here. */
        createUserResponseSchema: {
            /** @description The user's id, the same as in the path. */
            id: number;
            /**
             * @deprecated
             * @description Deprecated since version 5 of the service. Used internally to decide what the user may do.
             */
            isAPI?: boolean;
            /** @description The user's name. */
            name?: string | null;
            /** @description The user's e-mail address. */
            email?: string;
            /** @description The username, which is unique. An update cannot change it. */
            username?: string | null;
            /** @description URL of the profile image. A server may derive it from the e-mail address, so it may change when that changes. */
            imageUrl?: string;
            /** @description A shareable link; present while the user is inviting others. */
            inviteLink?: string;
            /** @description The number of failed logins. */
            loginAttempts?: number;
            /** @description Whether the welcome e-mail was sent. */
            emailSent?: boolean;
            /** @description The user's root role, as an integer id or as an object. */
            rootRole?: number | {
                [key: string]: unknown;
            };
            /**
             * Format: date-time
             * @description When the user last logged in. A server may set it at any time.
             */
            seenAt?: string | null;
            /**
             * Format: date-time
             * @description When the user was created.
             */
            createdAt?: string;
            /** @description Whether this is a person's account or a service account. */
            accountType?: string;
            /**
             * @deprecated
             * @description Deprecated.
             */
            permissions?: string[];
            /** @description The SCIM id; present only if the user is managed by SCIM. */
            scimId?: string | null;
        };
        /** @description The configured banners. */
        bannersSchema: {
            banners: components["schemas"]["bannerSchema"][];
        };
        /**
         * @description A banner. The source takes the members from one sample and infers their types; none is known to be required.
         *     So `x-sample-type` says what type a member should have if it is present and not null; the schema itself requires nothing of it.
         */
        bannerSchema: {
            /** @description Identifies the banner. */
            id?: unknown;
            /** @description The text, in Markdown. */
            message?: unknown;
            /** @description Whether the banner is shown to users. */
            enabled?: unknown;
            /** @description The style of the banner. */
            variant?: unknown;
            /** @description Whether the banner stays in view. */
            sticky?: unknown;
            /** @description The name of an icon. */
            icon?: unknown;
            /** @description The kind of link; the sample opens a dialog. */
            link?: unknown;
            /** @description The text of the link. */
            linkText?: unknown;
            /** @description The title of the dialog. */
            dialogTitle?: unknown;
            /** @description The text of the dialog, in Markdown. */
            dialog?: unknown;
            /** @description When the banner was created, with a time zone offset. */
            createdAt?: unknown;
        };
        /** @description The body of every error. */
        errorSchema: {
            /** @description Identifies this instance of the error, not its kind. */
            id: string;
            /** @description The kind of the error; for a documented status, the `x-error-name` of the response. */
            name: string;
            /** @description A human-readable description of what went wrong. */
            message: string;
        };
    };
    responses: {
        /** @description The path id or the body is not as expected. Nothing was changed. */
        ValidationError: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["errorSchema"];
            };
        };
        /** @description The key is missing or not valid. Nothing was changed. */
        AuthenticationRequired: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["errorSchema"];
            };
        };
        /** @description The key is valid but lacks the permission for the operation. Nothing was changed. */
        NoAccessError: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["errorSchema"];
            };
        };
        /** @description No user has this id. Nothing was changed, and no user was created. */
        NotFoundError: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["errorSchema"];
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    updateUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The user's id, a decimal integer without leading zeros, for example `4`.
                 *     The server refuses anything that is not an integer (`abc`, `4abc`, `4.5`) with 400, or with 404 if its router knows no such path. Such an id reaches no user: `4abc` is not user 4.
                 * @example 4
                 */
                id: number;
            };
            cookie?: never;
        };
        /** @description The members to change. Omitted members keep their values. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["updateUserSchema"];
            };
        };
        responses: {
            /** @description The user was updated. The body is the updated user. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["createUserResponseSchema"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["AuthenticationRequired"];
            403: components["responses"]["NoAccessError"];
            404: components["responses"]["NotFoundError"];
        };
    };
    listBanners: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All configured banners. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["bannersSchema"];
                };
            };
            401: components["responses"]["AuthenticationRequired"];
        };
    };
}
