/** Sorts long lists without blocking the event loop. Uses a merge sort that waits before each step. */

const STEP = 500

/**
 * Sorts a list. Equal items keep their order.
 * @param before called and awaited before each step of about {@link STEP} items
 */
export async function sortInSteps<Item>(
  items: readonly Item[],
  compare: (a: Item, b: Item) => number,
  before: () => Promise<void>,
): Promise<readonly Item[]> {
  let runs: (readonly Item[])[] = []
  for (let from = 0; from < items.length; from += STEP) {
    await before()
    runs.push(items.slice(from, from + STEP).sort(compare))
  }
  while (runs.length > 1) {
    const merged: (readonly Item[])[] = []
    for (let index = 0; index < runs.length; index += 2) {
      merged.push(await merge(runs[index] ?? [], runs[index + 1] ?? [], compare, before))
    }
    runs = merged
  }
  return runs[0] ?? []
}

async function merge<Item>(
  left: readonly Item[],
  right: readonly Item[],
  compare: (a: Item, b: Item) => number,
  before: () => Promise<void>,
): Promise<readonly Item[]> {
  if (right.length === 0) return left
  const merged: Item[] = []
  let [i, j] = [0, 0]
  while (i < left.length || j < right.length) {
    if (merged.length % STEP === 0) await before()
    const [a, b] = [left[i], right[j]]
    const isLeft = j >= right.length || (i < left.length && compare(a as Item, b as Item) <= 0)
    merged.push((isLeft ? a : b) as Item)
    if (isLeft) i += 1
    else j += 1
  }
  return merged
}
