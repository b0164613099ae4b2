/** Spans of the loops' runs, each the beginning of a trace. Of a run that had nothing to do there is none. */
import { ROOT_CONTEXT, type Tracer } from '@opentelemetry/api'
import type { Store } from '../store/store.ts'
import { currentScope, markFailed, runInScope, Scope } from './scope.ts'

/** @returns the same work, in a span */
export type LoopTracer = <Result>(name: string, work: () => Promise<Result>) => () => Promise<Result>

export function createLoopTracer(tracer: Tracer): LoopTracer {
  return (name, work) => async () => {
    // Whatever has woken the loop: its run is work of its own.
    const scope = new Scope(tracer.startSpan(`loop ${name}`, {}, ROOT_CONTEXT))
    try {
      return await runInScope(scope, work)
    } catch (error) {
      markFailed(scope.span, 'the run failed', 'loop')
      scope.isWorthTelling = true
      throw error
    } finally {
      // A span that is not ended is never sent.
      if (scope.isWorthTelling) scope.span.end()
    }
  }
}

type Work = Pick<Store, 'judgeOverdue' | 'claimDeliveries' | 'claimMailings' | 'prune'>

/** The store's methods by which a run finds out whether there is anything to do. */
export function notingWork(store: Work): Work {
  return {
    async judgeOverdue(...given) {
      const overdue = await store.judgeOverdue(...given)
      note('overdue.flips', overdue.flips.length)
      return overdue
    },
    async claimDeliveries(...given) {
      const claimed = await store.claimDeliveries(...given)
      note('overdue.deliveries', claimed.length)
      return claimed
    },
    async claimMailings(...given) {
      const claimed = await store.claimMailings(...given)
      note('overdue.mailings', claimed.length)
      return claimed
    },
    async prune(...given) {
      const pruned = await store.prune(...given)
      note('overdue.pruned', pruned.pings + pruned.bodies + pruned.flips)
      return pruned
    },
  }
}

function note(name: string, count: number): void {
  if (count > 0) currentScope()?.note({ [name]: count })
}
