/** Stores advice on checks, as a look at them would. */
import type { Advice } from '../../src/domain/advice/advice.ts'
import { addSeconds, type Clock } from '../../src/lib/time.ts'
import type { Store } from '../../src/store/store.ts'

export async function giveAdvice(
  { store, now }: { readonly store: Store; readonly now: Clock },
  checkId: string,
  ...advice: readonly Advice[]
): Promise<void> {
  const at = now()
  const claimed = await store.advice.claimLook(checkId, addSeconds(at, 60))
  if (!claimed) throw new Error('nobody looks at this check')
  const found = await store.checks.find(checkId)
  const lookAfter = addSeconds(at, 86_400)
  await store.advice.writeLooks(
    [{ claimed, lookedN: found?.check.nPings ?? 0, advice, days: [], oldestDay: '2000-01-01', lookAfter }],
    at,
  )
}

/** Advice that the check's machine runs in another zone. */
export const ZONE: Advice = {
  kind: 'zone',
  variant: 'known',
  says: ['Runs at 03:00 UTC, 1 h after it is due, each day.'],
  fix: { do: 'set', settings: { tz: 'UTC' } },
  otherFixes: [
    { do: 'set', settings: { schedule: '0 4 * * *' } },
    { do: 'set', settings: { grace: 6_300 } },
  ],
}

export const UNTOLD: Advice = {
  kind: 'untold',
  variant: 'none',
  says: ['This check alerts no one.'],
  fix: { do: 'ask', about: 'channels' },
  otherFixes: [],
}

export const UNWATCHED: Advice = {
  kind: 'unwatched',
  variant: 'never',
  says: ['Never pinged in 3 days, though its first run was due. A check that was never pinged never alerts.'],
  fix: { do: 'text', text: 'ping-line' },
  otherFixes: [],
}
