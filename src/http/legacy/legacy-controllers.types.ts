import type { Type } from '@nestjs/common';
import type { A2ARoute } from '../host/a2a-route.js';

/** The controllers by which older peers are served. */
export interface LegacyControllers {
  /** At paths that are theirs alone. */
  readonly aliases: Type<object>;
  readonly root: Type<object>;
  readonly card: Type<object>;
  readonly cardRoute: A2ARoute;
}
