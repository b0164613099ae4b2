/**
 * Returns the options for an `LRUCache` that keeps at most `count` entries. The cache's own `max` option would allocate memory for all
 * entries up front, 100 bytes each.
 */
export function atMost(count: number): { readonly maxSize: number; readonly sizeCalculation: () => number } {
  return { maxSize: count, sizeCalculation: () => 1 }
}
