/**
 * The mail server's form fields. If a field is set by an environment variable, the form shows the variable's name, and the field is
 * read-only.
 */
import { type EnvironmentMail, type MailVariables, mailboxWords } from '../../../../../domain/mail/mail-server.ts'
import {
  HOST_LIMIT,
  MAIL_FIELDS,
  type MailMistakes,
  PASSWORD_LIMIT,
  SENDER_LIMIT,
  type TypedMailServer,
  USER_LIMIT,
} from '../../../../../domain/mail/typed-mail-server.ts'
import type { MailServerState } from '../../../../../services/mail/mail-server.ts'
import { type Html, html } from '../../../html.ts'
import { common, type Field, firstBad, labelled, selectField, textField } from '../../../parts/forms/fields.ts'
import { shown } from '../../../parts/words/text.ts'

interface FieldsData {
  readonly state: MailServerState
  readonly typed: TypedMailServer
  readonly mistakes: MailMistakes
}

const SECURITY = {
  starttls: 'STARTTLS, usually port 587',
  tls: 'TLS, usually port 465',
  none: 'None, usually port 25',
} as const

const SECURITY_HELP =
  'STARTTLS connects unencrypted, and switches to encryption before it sends anything. TLS is encrypted from the first byte. Both require a certificate that is valid for the server’s name. Choose none only for a server on this machine or in your own network: anyone in between can read the emails and the password.'

export function mailFields({ state, typed, mistakes }: FieldsData): Html {
  const { environment, stored } = state
  const { variables } = environment
  const focus = firstBad(MAIL_FIELDS, mistakes)
  const field = <Name extends keyof TypedMailServer>(name: Name) => ({
    ...{ name, error: mistakes[name], hasFocus: focus === name },
  })
  const keeps = stored !== null && stored.user !== null
  return html`${textField({ ...field('host'), label: 'Server', value: typed.host, isRequired: true, isCode: true, maxLength: HOST_LIMIT, help: 'Host name, such as mail.example.org, or IP address. It may be in your own network.' })}
<div class="two">${orFixed(variables.encryption, { name: 'encryption', label: 'Security' }, SECURITY[environment.encryption], selectField({ ...field('encryption'), label: 'Security', value: typed.encryption, options: Object.entries(SECURITY) }))}
${orFixed(variables.port, { name: 'port', label: 'Port' }, String(environment.port), textField({ ...field('port'), label: 'Port', value: typed.port, isCode: true, maxLength: 5, help: 'If empty, the usual port.' }))}</div>
<p class="help">${SECURITY_HELP}</p>
<div class="two">${textField({ ...field('user'), label: 'User', value: typed.user, isCode: true, maxLength: USER_LIMIT, help: 'If empty, there is no login.' })}
${textField({ ...field('password'), label: 'Password', type: 'password', autocomplete: 'new-password', maxLength: PASSWORD_LIMIT, help: keeps ? 'Leave empty to keep the stored password. It is never shown.' : 'The password is stored encrypted and never shown.' })}</div>
${orFixed(variables.from, { name: 'from', label: 'Sender' }, mailboxWords(environment.from), textField({ ...field('from'), label: 'Sender', value: typed.from, isRequired: true, maxLength: SENDER_LIMIT, help: 'For example, alerts@example.org or Overdue <alerts@example.org>. Many servers accept only the address of the user.' }))}`
}

/** @param variable environment variable that sets the field; null if the field is editable */
function orFixed(variable: string | null, field: Pick<Field, 'name' | 'label'>, value: string, own: Html): Html {
  return variable === null
    ? own
    : fixedField(
        { ...field, help: html`<code>${variable}</code> is set in the environment and takes precedence.` },
        value,
      )
}

function fixedField(field: Field, value: string): Html {
  return labelled(
    field,
    html`<input class="in" id="${field.name}" type="text" value="${shown(value)}" readonly${common(field)}>`,
  )
}

/** Renders the mail server settings that come from environment variables. */
export function environmentFields(
  { host, user }: { host: string; user: string | null },
  environment: Omit<EnvironmentMail, 'server'>,
): Html {
  const { variables, port, encryption, from } = environment
  const rows: readonly (readonly [keyof MailVariables, string, string])[] = [
    ['host', 'Server', host],
    ['encryption', 'Security', SECURITY[encryption]],
    ['port', 'Port', String(port)],
    ['user', 'User', user ?? 'none, no login'],
    ['password', 'Password', user === null ? 'none' : 'set, and never shown'],
    ['from', 'Sender', mailboxWords(from)],
  ]
  return html`${rows.map(([name, label, value]) => {
    const variable = variables[name]
    const help = variable === null ? 'The default.' : html`From <code>${variable}</code>.`
    return html`${fixedField({ name, label, help }, value)}
`
  })}`
}
