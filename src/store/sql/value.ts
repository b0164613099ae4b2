/**
 * A column value. Numbers are safe integers, or anything but NaN in a REAL column; flags are 0 and 1. Texts contain no U+0000 and no lone
 * surrogate, because not every engine can store them: see `isStorable` in `lib/text/text.ts`.
 */
export type Value = string | number | null | Uint8Array
