import type { OperationId } from '../../contract/document.ts';
import type { Handler } from '../rules.ts';
import { listBanners } from './list-banners.ts';
import { updateUser } from './update-user.ts';

/** Every operation of the contract. One that is missing here does not compile. */
export const handlers: Readonly<Record<OperationId, Handler>> = { updateUser, listBanners };
