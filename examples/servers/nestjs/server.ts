// The administrative API on NestJS, with its users and banners in memory.
import 'reflect-metadata';
import { isUtf8 } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import {
  type ArgumentMetadata,
  type ArgumentsHost,
  BadRequestException,
  Body,
  type CanActivate,
  Catch,
  Controller,
  type ExceptionFilter,
  type ExecutionContext,
  ForbiddenException,
  Get,
  Module,
  NotFoundException,
  Param,
  ParseIntPipe,
  type PipeTransform,
  Put,
  UnauthorizedException,
  UseGuards,
  ValidationPipe,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { IsString, Validate, ValidateIf, ValidatorConstraint } from 'class-validator';

const KEYS = new Map([
  ['example-admin-key', ['users:write']],
  ['example-restricted-key', []],
]);
const ERROR_NAMES: Record<number, string> = {
  400: 'ValidationError',
  401: 'AuthenticationRequired',
  403: 'NoAccessError',
  404: 'NotFoundError',
};

const joined = '2026-01-31T09:00:00Z';
const users = new Map([
  [4, { id: 4, name: 'Ann', email: 'ann@example.com', username: 'ann', rootRole: 1, createdAt: joined }],
  [5, { id: 5, name: 'Bob', email: 'bob@example.com', username: 'bob', rootRole: 2, createdAt: joined }],
]);
const banners = [{ id: 1, message: 'Welcome', enabled: true, createdAt: '2026-02-28T12:00:00+01:00' }];

@ValidatorConstraint()
class IsRole {
  validate(value: unknown) {
    return Number.isInteger(value) || (typeof value === 'object' && value !== null && !Array.isArray(value));
  }
}

// [null] @IsOptional() would let null pass, too.
const IfSent = () => ValidateIf((_changes, value) => value !== undefined);
class Changes {
  @IfSent() @IsString() name?: string;
  @IfSent() @IsString() email?: string;
  @IfSent() @Validate(IsRole) rootRole?: any;
}

// [guard] A guard that returns false leads to 403.
class Authenticated implements CanActivate {
  canActivate(context: ExecutionContext) {
    const key = context.switchToHttp().getRequest().get('Authorization');
    if (!KEYS.has(key)) throw new UnauthorizedException('A valid API key is required.');
    return true;
  }
}

class MayUpdateUsers implements CanActivate {
  canActivate(context: ExecutionContext) {
    const key = context.switchToHttp().getRequest().get('Authorization');
    if (!KEYS.get(key)?.includes('users:write')) throw new ForbiddenException('This key cannot update users.');
    return true;
  }
}

// [fields] An instance has every member of its class: those that were not sent are undefined.
const sentIn = (changes: Changes) =>
  Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));

@Controller('api/admin')
@UseGuards(Authenticated)
class AdminController {
  @Get('banners')
  listBanners() {
    return { banners };
  }

  @Put('user-admin/:id')
  @UseGuards(MayUpdateUsers)
  updateUser(@Param('id', ParseIntPipe) id: number, @Body() changes: Changes) {
    const user = users.get(id);
    if (!user) throw new NotFoundException('There is no such user.');
    return Object.assign(user, sentIn(changes));
  }
}

// [errors] Nest's own body has the members message, error and statusCode.
@Catch()
class ErrorFilter implements ExceptionFilter {
  catch(error: { status?: number; message: string }, host: ArgumentsHost) {
    const { status = 500 } = error;
    const name = ERROR_NAMES[status] ?? 'UnexpectedError';
    const message = status === 500 ? 'The server failed.' : error.message;
    host.switchToHttp().getResponse().status(status).json({ id: randomUUID(), name, message });
  }
}

@Module({ controllers: [AdminController] })
class Api {}

const app = await NestFactory.create<NestExpressApplication>(Api, { bodyParser: false, logger: ['error'] });

// [bytes] The parser makes {} of an empty body, and replaces what is not UTF-8.
const verify = (_request: unknown, _response: unknown, bytes: Buffer) => {
  if (bytes.length === 0 || !isUtf8(bytes)) throw new BadRequestException('The body must be JSON in UTF-8.');
};
app.useBodyParser('json', { verify });

// [whitelist] Without it, an instance of Changes has whatever the client sends.
const validation = new ValidationPipe({ transform: true, whitelist: true });

// [body] ValidationPipe walks through every array, and thousands of nested ones exhaust the stack.
class ObjectPipe implements PipeTransform {
  transform(value: unknown, { type }: ArgumentMetadata) {
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    if (type === 'body' && !isObject) throw new BadRequestException('The body must be a JSON object.');
    return value;
  }
}

// [body] The pipes run in this order.
app.useGlobalPipes(new ObjectPipe(), validation);

// [errors] The filter also gets what the parser and the guards throw.
app.useGlobalFilters(new ErrorFilter());

await app.listen(process.env.PORT ?? 4242, '127.0.0.1');
