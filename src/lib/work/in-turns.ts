import type { EventLoopBudget } from './event-loop-budget.ts'

/** The results for a long list, computed within the budget of each turn of the event loop. */
export async function mapInTurns<Item, Result>(
  budget: EventLoopBudget,
  items: readonly Item[],
  of: (item: Item) => Result,
): Promise<Result[]> {
  const results: Result[] = []
  for (const item of items) {
    await budget.available()
    results.push(of(item))
  }
  return results
}
