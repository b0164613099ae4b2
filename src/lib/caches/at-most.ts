/**
 * Options of an `LRUCache` that keeps at most `count` entries. Its own option `max` would allocate memory for all of them, 100
 * bytes each, when the cache is created.
 */
export function atMost(count: number): { readonly maxSize: number; readonly sizeCalculation: () => number } {
  return { maxSize: count, sizeCalculation: () => 1 }
}
