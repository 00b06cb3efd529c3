import { Catch, Inject } from '@nestjs/common';
import { BindingExceptionFilter } from '../a2a-exception.filter.js';
import { LegacyHandler } from './legacy.handler.js';

/** For controllers of the older exchange. */
@Catch()
export class LegacyExceptionFilter extends BindingExceptionFilter {
  @Inject(LegacyHandler) protected override readonly handler!: LegacyHandler;
}
