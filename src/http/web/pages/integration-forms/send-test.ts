/** Sends a test through an integration, and reports its result. */
import type { Channel } from '../../../../domain/channel/channel.ts'
import { Refusal } from '../../../../domain/errors.ts'
import { inspectChannel, inspectMembers } from '../../../../services/channels/channel-test.ts'
import type { PageDeps } from '../../page.ts'
import { channelName } from '../../parts/channels.ts'
import type { ProjectVisit } from '../../route.ts'
import { type IntegrationsContext, integrationsContext } from '../integrations/context.ts'
import { errorWords } from '../integrations/test.ts'
import { type ShownResult, type ShownTest, TEST_STATUSES } from './test-card.ts'

export async function sendTest(deps: PageDeps, visit: ProjectVisit, channel: Channel): Promise<ShownTest> {
  const { actor, form } = visit
  const status = TEST_STATUSES.find((known) => known === form.text('status')) ?? 'down'
  const context = integrationsContext(deps, visit)
  if (channel.kind === 'group') {
    const members = await refusable(inspectMembers(deps, actor, channel, status))
    if (members instanceof Refusal) return { status, results: [shown(null, members, context)] }
    return {
      status,
      results: members.map((member) => shown(channelName(member.channel), member.error, context, member.exchanges)),
    }
  }
  const tested = await refusable(inspectChannel(deps, actor, channel, status))
  if (tested instanceof Refusal) return { status, results: [shown(null, tested, context)] }
  return { status, results: [shown(null, tested.error, context, tested.exchanges)] }
}

/** Returns a refusal as the result instead of throwing it, unless the server itself is the problem. */
async function refusable<Result>(work: Promise<Result>): Promise<Result | Refusal> {
  return work.catch((error: unknown) => {
    if (error instanceof Refusal && error.kind !== 'unavailable') return error
    throw error
  })
}

function shown(
  name: ShownResult['name'],
  error: string | Refusal | null,
  context: IntegrationsContext,
  exchanges: ShownResult['exchanges'] = [],
): ShownResult {
  return { name, error: error && errorWords(error, context), exchanges }
}
