import { isRecord } from '../is-record.js';
import type { JsonValue, Struct } from '../types/json.js';

/** How the official SDKs mark data that is no object, and so was put into one for 0.3. */
const WRAPPED = 'data_part_compat';

/** Data and the metadata beside it. */
export interface DataContent {
  data: JsonValue;
  metadata?: Struct;
}

/** Data as 0.3 can have it: an object. */
export function wrapData({ data, metadata }: DataContent): DataContent {
  if (isRecord(data)) return metadata === undefined ? { data } : { data, metadata };
  return { data: { value: data }, metadata: { ...metadata, [WRAPPED]: true } };
}

/** The data that {@link wrapData} was given. */
export function unwrapData({ data, metadata }: DataContent): DataContent {
  if (metadata?.[WRAPPED] !== true || !isRecord(data) || !('value' in data)) {
    return metadata === undefined ? { data } : { data, metadata };
  }
  const { [WRAPPED]: _mark, ...rest } = metadata;
  return Object.keys(rest).length === 0 ? { data: data.value } : { data: data.value, metadata: rest };
}
