import { Inject, Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { RequestAuthenticator } from './request-authenticator.js';

/**
 * Checks a request by the schemes of `forRoot({ authentication })`. It stands first among the guards of the module's
 * own controllers; put it on controllers of yours, in a module that imports the A2A module, whose guards want to know
 * the caller, or that are to be as closed as the agent.
 *
 * @throws A2AError, such as UnauthenticatedError, in `canActivate`
 * @publicApi
 */
@Injectable()
export class A2AAuthGuard implements CanActivate {
  constructor(@Inject(RequestAuthenticator) private readonly authenticator: RequestAuthenticator) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    await this.authenticator.admit(context.switchToHttp().getRequest<object>());
    return true;
  }
}
