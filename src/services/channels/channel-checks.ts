/** Lists a project's checks for the page that assigns a channel, and determines whether each check alerts through that channel. */
import { type Actor, may, requireRight } from '../../domain/actor.ts'
import type { Channel } from '../../domain/channel/channel.ts'
import type { Check } from '../../domain/check/check.ts'
import { showCheck } from '../../domain/check/shown-check.ts'
import { createMatcher, type ListQuery } from '../../domain/list/check-list.ts'
import { compareNames } from '../../lib/text/natural-order.ts'
import { sortInSteps } from '../../lib/work/sort-in-steps.ts'
import { listChecks } from '../checks/checks.ts'
import type { Deps } from '../common/deps.ts'

export interface AssignableCheck extends Pick<Check, 'publicId' | 'name' | 'tags'> {
  readonly isOn: boolean
}

export interface ChannelChecks {
  /** number of checks in the project, and number of checks that use the channel */
  readonly total: number
  readonly on: number
  /** matching checks, sorted by name */
  readonly matching: readonly AssignableCheck[]
}

/**
 * Reads the checks that match a search. Reads all of the project's checks once. @param text see {@link ListQuery} @throws Refusal
 * `forbidden` if the channel belongs to another project
 */
export async function readChannelChecks(
  deps: Pick<Deps, 'store' | 'now' | 'budget'>,
  actor: Actor,
  channel: Channel,
  text: string,
): Promise<ChannelChecks> {
  requireRight(actor, 'read', channel)
  const available = () => deps.budget.available()
  const query: ListQuery = { text, tags: [], states: [], advice: [], sort: 'name', isReversed: false }
  const matches = createMatcher(query, may(actor, 'write'))
  const now = deps.now()
  const matching: AssignableCheck[] = []
  let [total, on] = [0, 0]
  for await (const page of listChecks(deps, actor, {})) {
    await available()
    for (const { check, channelIds } of page) {
      const isOn = channelIds.includes(channel.id)
      total += 1
      on += Number(isOn)
      const { publicId, name, tags } = check
      if (matches(check, { ...showCheck(check, now), advice: null })) matching.push({ publicId, name, tags, isOn })
    }
  }
  return { total, on, matching: await sortInSteps(matching, byName, available) }
}

function byName(a: AssignableCheck, b: AssignableCheck): number {
  return compareNames(a.name, b.name) || (a.publicId < b.publicId ? -1 : 1)
}
