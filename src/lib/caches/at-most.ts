/**
 * Returns the options for an `LRUCache` that keeps at most `count` entries. The cache's own option `max` would allocate memory for all
 * entries, 100 bytes each, when the cache is created.
 */
export function atMost(count: number): { readonly maxSize: number; readonly sizeCalculation: () => number } {
  return { maxSize: count, sizeCalculation: () => 1 }
}
