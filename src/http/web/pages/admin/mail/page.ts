/** The mail server page. */
import { addressOf } from '../../../../../domain/mail/mail-server.ts'
import type { MailMistakes, TypedMailServer } from '../../../../../domain/mail/typed-mail-server.ts'
import type { MailServerState, MailTrial } from '../../../../../services/mail/mail-server.ts'
import type { Href } from '../../../href.ts'
import { type Html, type HtmlValue, html } from '../../../html.ts'
import { type Submit, submit } from '../../../parts/forms/buttons.ts'
import { hiddenField, textField } from '../../../parts/forms/fields.ts'
import { card } from '../../../parts/lists.ts'
import { alertNote, note } from '../../../parts/notes.ts'
import { shown } from '../../../parts/words/text.ts'
import type { FrameContent } from '../../../route.ts'
import { ADMIN_TABS, adminTabs } from '../tabs.ts'
import { environmentFields, mailFields } from './fields.ts'

interface MailPageData {
  readonly href: Href
  readonly state: MailServerState
  readonly typed: TypedMailServer
  readonly mistakes: MailMistakes
  /** recipient of the test message */
  readonly to: string
  readonly toMistake: string | undefined
  /** result of the test; null if no test was run */
  readonly trial: MailTrial | null
}

const PATH = ADMIN_TABS.mail.path

export const TEST = { name: 'action', value: 'test' } as const
const SAVE = { name: 'action', value: 'save' } as const
export const REMOVE = { name: 'action', value: 'remove' } as const

export function mailPage(data: MailPageData): FrameContent {
  const { href, state, trial } = data
  return {
    layout: 'frame',
    help: 'settings#mail',
    title: ADMIN_TABS.mail.title,
    intro: 'The mail server that sends alerts, reports and sign-in links. Changes take effect without a restart.',
    body: html`<div class="stack">${adminTabs(href, 'mail')}${stateNote(state, trial)}${trial && trialCard(trial)}${state.isOfEnvironment ? environmentCard(data) : formCard(data)}${removal(href, state)}</div>`,
  }
}

function stateNote(
  { isOfEnvironment, isUnreadable, inUse, stored }: MailServerState,
  trial: MailTrial | null,
): HtmlValue {
  if (isOfEnvironment) {
    const rest = stored && ' Settings stored here have no effect while that variable is set.'
    return note('plain', html`<code>EMAIL_HOST</code> is set, so these settings come from the environment.${rest}`)
  }
  if (isUnreadable) {
    return note(
      'down',
      'The stored settings cannot be decrypted, because the secret of the server has changed. No email is sent. Enter the mail server again.',
    )
  }
  if (inUse === null) return note('late', 'No mail server is set up, so nothing is sent by email.')
  // If there is a test result, don't also show the current mail server.
  if (trial !== null) return null
  return note('up', html`Emails go through <code>${addressOf(inUse)}</code>.`)
}

function environmentCard({ href, state, to, toMistake }: MailPageData): Html {
  const { inUse, environment } = state
  const body = html`<form class="form" method="post" action="${href(PATH)}">
${inUse && environmentFields(inUse, environment)}
${testField(to, toMistake)}
<div class="acts">${submit({ text: 'Send a test', icon: 'mail', look: 'primary', field: TEST })}</div>
</form>`
  return card({ title: 'Mail server', body })
}

function formCard({ href, state, typed, mistakes, to, toMistake }: MailPageData): Html {
  const both: Submit = { text: 'Save and send a test', icon: 'mail', look: 'primary', field: TEST }
  const body = html`<form class="form" method="post" action="${href(PATH)}">
${loginNote(state)}${mailFields({ state, typed, mistakes })}
${testField(to, toMistake)}
<div class="acts">${submit(both)}${submit({ text: 'Save', field: SAVE })}</div>
</form>`
  return card({ title: 'Mail server', body })
}

/** Warns that the environment sets a mail login but no mail server. The login isn't used for the server that is set on this page. */
function loginNote({ environment: { variables } }: MailServerState): HtmlValue {
  const name = variables.password ?? variables.user
  return (
    name !== null &&
    note(
      'plain',
      html`<code>${name}</code> is set without <code>EMAIL_HOST</code>, so it has no effect. It is not used for a server that is set here.`,
    )
  )
}

function testField(to: string, error: string | undefined): Html {
  return textField({
    ...{ name: 'to', label: 'Send the test to', type: 'email', value: to, maxLength: 254, isRequired: true },
    ...{ error, hasFocus: error !== undefined },
  })
}

function trialCard({ verdict: { isAccepted, said, advice }, lines }: MailTrial): Html {
  const words = html`${shown(said)}${advice !== null && ` ${advice}`}`
  const dialogue = html`<pre class="out" tabindex="0" role="group" aria-label="Dialogue">${lines.map((line) => `${shown(line)}\n`)}</pre>`
  const none = html`<p class="muted">The mail server was not reached, so there is no dialogue.</p>`
  const legend = html`<p class="help">S is the mail server, C is this server. The password is hidden.</p>`
  return card({
    title: 'Test',
    body: html`<div class="stack" id="test">${isAccepted ? html`<div role="status">${note('up', words)}</div>` : alertNote(words)}${lines.length === 0 ? none : html`${dialogue}${legend}`}</div>`,
  })
}

function removal(href: Href, { stored, isUnreadable }: MailServerState): HtmlValue {
  if (stored === null && !isUnreadable) return null
  const body = html`<form class="form" method="post" action="${href(PATH)}"><p>Removes the stored server, user and password. No email is sent afterwards, unless the environment sets a mail server.</p>${hiddenField(REMOVE.name, REMOVE.value)}<div class="acts">${submit({ text: 'Remove mail server', look: 'danger' })}</div></form>`
  return card({ title: 'Remove', body })
}
