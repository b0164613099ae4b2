/** Creates spans for loop runs. Each span is the root of a trace. A run that had no work gets no span. */
import { ROOT_CONTEXT, type Tracer } from '@opentelemetry/api'
import type { Store } from '../store/store.ts'
import { currentScope, markFailed, runInScope, Scope } from './scope.ts'

/** @returns a function that does the same work in a span */
export type LoopTracer = <Result>(name: string, work: () => Promise<Result>) => () => Promise<Result>

export function createLoopTracer(tracer: Tracer): LoopTracer {
  return (name, work) => async () => {
    // Each run starts its own trace, no matter what woke the loop.
    const scope = new Scope(tracer.startSpan(`loop ${name}`, {}, ROOT_CONTEXT))
    try {
      return await runInScope(scope, work)
    } catch (error) {
      markFailed(scope.span, 'the run failed', 'loop')
      scope.hasWork = true
      throw error
    } finally {
      // A span is exported only when it ends, so leaving the span of a run without work open drops it.
      if (scope.hasWork) scope.span.end()
    }
  }
}

type Work = Pick<Store, 'flips' | 'incidents' | 'deliveries' | 'mailings' | 'morningMails' | 'retention'>

/** Wraps the store methods that show whether a run has work. */
export function recordingWork({ flips, incidents, deliveries, mailings, morningMails, retention }: Work): Work {
  return {
    flips: {
      ...flips,
      async judgeOverdue(...given) {
        const overdue = await flips.judgeOverdue(...given)
        record('overdue.flips', overdue.flips.length)
        return overdue
      },
    },
    incidents: {
      ...incidents,
      async look(...given) {
        const done = await incidents.look(...given)
        record('overdue.incidents', done.looked)
        return done
      },
    },
    deliveries: {
      ...deliveries,
      async claim(...given) {
        const claimed = await deliveries.claim(...given)
        record('overdue.deliveries', claimed.length)
        return claimed
      },
    },
    mailings: {
      ...mailings,
      async claim(...given) {
        const claimed = await mailings.claim(...given)
        record('overdue.mailings', claimed.length)
        return claimed
      },
    },
    morningMails: {
      ...morningMails,
      async claim(...given) {
        const claimed = await morningMails.claim(...given)
        record('overdue.morning_mails', claimed.length)
        return claimed
      },
    },
    retention: {
      ...retention,
      async prune(...given) {
        const pruned = await retention.prune(...given)
        record('overdue.pruned', pruned.pings + pruned.bodies + pruned.events)
        return pruned
      },
    },
  }
}

function record(name: string, count: number): void {
  if (count > 0) currentScope()?.record({ [name]: count })
}
