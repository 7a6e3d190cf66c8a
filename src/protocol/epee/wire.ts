import type { EntryType } from './values.ts';

/** Signature 0x01011101, 0x01020101 and version 1, as they lie in the file (portable_storage_base.h). */
export const STORAGE_HEADER = Uint8Array.of(0x01, 0x11, 0x01, 0x01, 0x01, 0x01, 0x02, 0x01, 0x01);

export const ARRAY_FLAG = 0x80;

export const TYPE_CODES: Readonly<Record<EntryType, number>> = {
  int64: 1,
  int32: 2,
  int16: 3,
  int8: 4,
  uint64: 5,
  uint32: 6,
  uint16: 7,
  uint8: 8,
  double: 9,
  string: 10,
  bool: 11,
  object: 12,
  array: 13,
};

export const TYPE_NAMES: readonly (EntryType | undefined)[] = (() => {
  const names: (EntryType | undefined)[] = [];
  for (const [name, code] of Object.entries(TYPE_CODES)) names[code] = name as EntryType;
  return names;
})();
