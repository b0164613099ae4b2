/** Long lists, a few milliseconds of each turn of the event loop: what waits for the loop comes in between. */
import { EventLoopBudget } from './event-loop-budget.ts'

const WORK_MS_PER_TURN = 5

export async function mapInTurns<Item, Result>(items: readonly Item[], of: (item: Item) => Result): Promise<Result[]> {
  const budget = new EventLoopBudget(WORK_MS_PER_TURN)
  const results: Result[] = []
  for (const item of items) {
    await budget.available()
    results.push(of(item))
  }
  return results
}
