/**
 * A column value. Numbers are safe integers, or anything but NaN in a REAL column; flags are 0 and 1. Strings contain no U+0000 and no lone
 * surrogates, because not every engine can store those: see `isStorable` in `lib/text/text.ts`.
 */
export type Value = string | number | null | Uint8Array
