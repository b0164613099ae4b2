/**
 * Options of an `LRUCache` that keeps at most `count` entries. Its own option `max` would take the memory for all of them when the cache
 * is made, which is 100 bytes each.
 */
export function atMost(count: number): { readonly maxSize: number; readonly sizeCalculation: () => number } {
  return { maxSize: count, sizeCalculation: () => 1 }
}
