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
         * Update a user in part
         * @description Changes the members of the user that the body has, and leaves all others as they were. The answer is the user after the change.
         *
         *     - Any of `name`, `email` and `rootRole` may be sent alone, or together with the others.
         *     - What was sent is stored, and shows in this answer and in later ones, as far as the server shows these members at all.
         *     - A refused request (400, 401, 403, 404) leaves every user exactly as it was. If one member of the body is invalid, the valid ones beside it are not applied either.
         *     - Nothing is converted: the number `5` or the boolean `true` is not a name, and `null` is neither a name nor an e-mail address.
         *
         *     Order of checks: a well-formed JSON request with a missing or invalid key is answered 401, whatever else is wrong with it.
         *     Between 403, 400 and 404 the order is free.
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
         * @description Answers with every configured banner, whether enabled or not. There are no parameters and there is no request body.
         *     A service without banners answers with an empty array.
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
        /** @description What to change of a user. Every member is optional. Members that are not listed here may be ignored or refused with 400. */
        updateUserSchema: {
            /** @description The user's e-mail address. It may be left out, also when nothing else identifies the user; see `open.email-required-note`. */
            email?: string;
            /** @description The user's name (not the username). */
            name?: string;
            /** @description The user's root role, in the form that the server takes: usually the integer id of the role. */
            rootRole?: number | {
                [key: string]: unknown;
            };
        };
        /** @description A user. Only `id` is always present. Members that are not listed here may appear and mean nothing to a client. */
        createUserResponseSchema: {
            /** @description The user's id, the same as in the path. */
            id: number;
            /**
             * @deprecated
             * @description Deprecated since version 5 of the service. Used inside the service to decide what the user may do.
             */
            isAPI?: boolean;
            /** @description The user's name. */
            name?: string | null;
            /** @description The user's e-mail address. */
            email?: string;
            /** @description The unique username. An update cannot change it. */
            username?: string | null;
            /** @description URL of the profile image. A server may derive it from the e-mail address, so it may change with that. */
            imageUrl?: string;
            /** @description A link that can be shared; present while the user invites others. */
            inviteLink?: string;
            /** @description How often a login failed. */
            loginAttempts?: number;
            /** @description Whether the welcome e-mail was sent. */
            emailSent?: boolean;
            /** @description The user's root role, as an integer id or as an object. */
            rootRole?: number | {
                [key: string]: unknown;
            };
            /**
             * Format: date-time
             * @description When the user was last logged in. A server may set it at any time.
             */
            seenAt?: string | null;
            /**
             * Format: date-time
             * @description When the user was created.
             */
            createdAt?: string;
            /** @description Says whether this is a person's account or a service account. */
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
         * @description A banner. The source lists the members from one sample, with types inferred from it; none is known to be required.
         *     `x-sample-type` therefore states what a member should be if it is present and not null, and the schema itself demands nothing of it.
         */
        bannerSchema: {
            /** @description Identifies the banner. */
            id?: unknown;
            /** @description The text, in Markdown. */
            message?: unknown;
            /** @description Whether the banner is shown to users. */
            enabled?: unknown;
            /** @description The style. */
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
            /** @description When the banner was made, with the offset of its time zone. */
            createdAt?: unknown;
        };
        /** @description The body of every error. */
        errorSchema: {
            /** @description Identifies this one error, not its kind. */
            id: string;
            /** @description The kind of the error; for the documented statuses the name that `x-error-name` of the response says. */
            name: string;
            /** @description What went wrong, for a person. */
            message: string;
        };
    };
    responses: {
        /** @description The request does not match what is expected (path id, body). Nothing was changed. */
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
        /** @description There is no user with this id. Nothing was changed and none was created. */
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
                 *     Anything that is not an integer (`abc`, `4abc`, `4.5`) is refused with 400, or with 404 by a router that knows no such path, and reaches no user: `4abc` is not user 4.
                 * @example 4
                 */
                id: number;
            };
            cookie?: never;
        };
        /** @description The members to change. Members that are left out keep their values. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["updateUserSchema"];
            };
        };
        responses: {
            /** @description The user was updated. The body is the user as it is now. */
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
