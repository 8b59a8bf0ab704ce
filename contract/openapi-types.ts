// Generated from openapi.yaml by "npm run generate".

export interface components {
    schemas: {
        updateUserSchema: {
            name?: string;
            email?: string;
            rootRole?: number | {
                [key: string]: unknown;
            };
        };
        createUserResponseSchema: {
            id: number;
            isAPI?: boolean;
            name?: string | null;
            email?: string;
            username?: string | null;
            imageUrl?: string;
            inviteLink?: string;
            loginAttempts?: number;
            emailSent?: boolean;
            rootRole?: number | {
                [key: string]: unknown;
            };
            seenAt?: string | null;
            createdAt?: string;
            accountType?: string;
            permissions?: string[];
            scimId?: string | null;
        };
        bannersSchema: {
            banners: components["schemas"]["bannerSchema"][];
        };
        bannerSchema: {
            id?: unknown;
            message?: unknown;
            enabled?: unknown;
            variant?: unknown;
            sticky?: unknown;
            icon?: unknown;
            link?: unknown;
            linkText?: unknown;
            dialogTitle?: unknown;
            dialog?: unknown;
            createdAt?: unknown;
        };
        errorSchema: {
            id: string;
            name: string;
            message: string;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export interface operations {
    updateUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["updateUserSchema"];
            };
        };
        responses: never;
    };
    listBanners: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
}
