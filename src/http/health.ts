/**
 * `/healthz` reports whether the process accepts requests. `/readyz` reports whether the server can do its work and, if it cannot, the
 * reason.
 */
import { Elysia } from 'elysia'
import type { HttpDeps } from './deps.ts'
import { requireReading, textAnswer } from './read-only.ts'

const UNAVAILABLE = 503

export function health({ readiness, isDraining }: HttpDeps) {
  return new Elysia()
    .all(
      '/healthz',
      ({ request }) => {
        requireReading(request)
        return isDraining() ? textAnswer('stopping\n', UNAVAILABLE) : textAnswer('ok\n')
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
