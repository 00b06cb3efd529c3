import { UnauthorizedException, type CanActivate, type ExecutionContext } from '@nestjs/common';

const BEARER = /^Bearer user:(.+)$/;

/** Believes whoever says who they are (`Authorization: Bearer user:NAME`), and turns `Authorization: forbidden` away. */
export class BelievingGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<{ headers: Record<string, string>; user?: unknown }>();
    const { authorization } = request.headers;
    if (authorization === undefined) return true;
    if (authorization === 'forbidden') return false;
    const name = BEARER.exec(authorization)?.[1];
    if (name === undefined) throw new UnauthorizedException();
    request.user = { id: name };
    return true;
  }
}
