import { Controller, VERSION_NEUTRAL, type Type } from '@nestjs/common';

const NOWHERE: string[] = [];

/** No path at all registers no route: that is how flags that come late switch a controller off. */
export function mountAt(controller: Type<object> | undefined, path: string | readonly string[] | false): void {
  if (controller === undefined) return;
  const given = path === false ? NOWHERE : typeof path === 'string' ? path : [...path];
  Controller({ path: given, version: VERSION_NEUTRAL })(controller);
}
