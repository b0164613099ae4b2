/** `/healthz` says whether the process answers; `/readyz`, whether it can do its work and if not, why. */
import { Elysia } from 'elysia'
import type { Readiness } from '../services/server/readiness.ts'
import { requireReading, textAnswer } from './read-only.ts'

const UNAVAILABLE = 503

export interface HealthDeps {
  readonly readiness: Readiness
}

export function health({ readiness }: HealthDeps) {
  return new Elysia()
    .all(
      '/healthz',
      ({ request }) => {
        requireReading(request)
        return textAnswer('ok\n')
      },
      { parse: 'none', detail: { hide: true } },
    )
    .all(
      '/readyz',
      async ({ request }) => {
        requireReading(request)
        const lines = await readiness()
        const text = lines.map(
          ({ part, problem, note = 'ok' }) => `${part}: ${problem === null ? note : `failed: ${problem}`}\n`,
        )
        return textAnswer(text.join(''), lines.every(({ problem }) => problem === null) ? 200 : UNAVAILABLE)
      },
      { parse: 'none', detail: { hide: true } },
    )
}
