import { EventLoopBudget } from './event-loop-budget.ts'

const WORK_MS_PER_TURN = 5

/** The results for a long list, computed a few milliseconds in each turn of the event loop. */
export async function mapInTurns<Item, Result>(items: readonly Item[], of: (item: Item) => Result): Promise<Result[]> {
  const budget = new EventLoopBudget(WORK_MS_PER_TURN)
  const results: Result[] = []
  for (const item of items) {
    await budget.available()
    results.push(of(item))
  }
  return results
}
