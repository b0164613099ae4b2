/** Sends a test alert from the list of integrations. Every project member may do this. */
import type { PersonActor } from '../../../../domain/actor.ts'
import type { Channel } from '../../../../domain/channel/channel.ts'
import { Refusal } from '../../../../domain/errors.ts'
import { testChannel, testMembers } from '../../../../services/channels/channel-test.ts'
import { getChannelById } from '../../../../services/channels/channels.ts'
import { projectPath } from '../../href.ts'
import { type HtmlValue, html } from '../../html.ts'
import type { PageDeps } from '../../page.ts'
import { channelName } from '../../parts/channels.ts'
import { alertNote } from '../../parts/notes.ts'
import { sentence, shown } from '../../parts/words/text.ts'
import type { FrameContent, PageAnswer, ProjectVisit } from '../../route.ts'
import { type IntegrationsContext, integrationsContext } from './context.ts'
import { whatToSet } from './state.ts'

interface Failure {
  readonly channel: Channel
  readonly error: string | Refusal
}

/** @param page renders the list with a message above it */
export async function testFromList(
  deps: PageDeps,
  visit: ProjectVisit,
  page: (visit: ProjectVisit, said: HtmlValue) => Promise<FrameContent>,
): Promise<PageAnswer> {
  const { actor, form } = visit
  const channel = await getChannelById(deps, actor, form.text('test'))
  deps.tests.take(visit)
  const failures = await sendTests(deps, actor, channel)
  if (failures.length === 0) {
    return { kind: 'redirect', to: projectPath(actor.project.slug, 'integrations'), done: 'test-sent' }
  }
  const context = integrationsContext(deps, visit)
  const words = failures.map((failure) => failureWords(failure, context))
  return await page(visit, alertNote(words))
}

async function sendTests(deps: PageDeps, actor: PersonActor, channel: Channel): Promise<readonly Failure[]> {
  try {
    if (channel.kind !== 'group') return failuresOf(channel, await sendTest(deps, actor, channel))
    const tests = await testMembers(deps, actor, channel, 'down')
    return tests.flatMap(({ channel: member, error }) => failuresOf(member, error))
  } catch (error) {
    if (!(error instanceof Refusal) || error.kind === 'unavailable') throw error
    return failuresOf(channel, error)
  }
}

function failuresOf(channel: Channel, error: string | Refusal | null): readonly Failure[] {
  return error === null ? [] : [{ channel, error }]
}

/**
 * Sends a test alert that says that a check has gone down. If the integration receives only recoveries, the alert says that a check has
 * recovered.
 */
async function sendTest(deps: PageDeps, actor: PersonActor, channel: Channel): Promise<string | null> {
  try {
    return await testChannel(deps, actor, channel, 'down')
  } catch (error) {
    const other = error instanceof Refusal ? error.data.otherStatus : null
    if (other !== 'up') throw error
    return testChannel(deps, actor, channel, other)
  }
}

/** Describes a failed test. Users with read-only access don't see the response, because it may reveal settings. */
function failureWords({ channel, error }: Failure, context: IntegrationsContext): HtmlValue {
  const name = channelName(channel)
  if (!context.canWrite) return html`The test of <b>${name}</b> did not arrive. `
  return html`<b>${name}:</b> ${errorWords(error, context)} `
}

/** Explains why a test was not sent or not delivered, for users who may change the integration. */
export function errorWords(error: string | Refusal, context: IntegrationsContext): HtmlValue {
  if (typeof error === 'string') return `The test did not arrive. ${sentence(shown(error))}`
  const { setting, mailError } = error.data
  switch (error.code) {
    case 'channel-unconfirmed':
      return mailError
        ? `The address is not confirmed. ${sentence(shown(mailError))}`
        : 'The address is not confirmed. The confirmation email was sent again.'
    case 'channel-unsubscribed':
      return 'Nothing was sent: the receiver has unsubscribed. Enter another address.'
    case 'channel-not-notified':
      return 'Nothing was sent: according to its settings, it gets no alerts.'
    case 'group-empty':
      return 'Nothing was sent: the group has no members. Add members first.'
    case 'channel-kind-unsupported':
      return 'Nothing was sent: this version of the server does not support this kind of integration.'
    default:
      if (setting)
        return html`Nothing was sent: this server is not set up for this kind of integration. ${whatToSet([setting], context)}`
      return error.code === 'channel-unusable'
        ? 'Nothing was sent. Its state shows why.'
        : sentence(shown(error.message))
  }
}
