import type { OperationId } from '../../../contract/document.ts';

/** `PUT /api/admin/user-admin/{id}` (source: Endpoints, PUT user). */
export const UPDATE_USER = 'updateUser' satisfies OperationId;
