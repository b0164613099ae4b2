/** Error messages for an integration's form. */
import type { ChannelKind } from '../../../../domain/channel/channel-kind.ts'
import type { Mistakes } from '../../../../domain/channel/typed-settings.ts'
import type { Refusal } from '../../../../domain/errors.ts'
import { redact } from '../../../../domain/redaction.ts'
import { MEMBERS_INVALID } from '../../../../services/channels/channel-form.ts'
import { type Html, type HtmlValue, html } from '../../html.ts'
import { sentence } from '../../parts/words/text.ts'
import type { ProjectVisit } from '../../route.ts'

export interface FormProblems {
  /** message about the name; null if the name has no problem */
  readonly name: string | null
  readonly settings: Mistakes
  /** message about the settings as a group */
  readonly whole: HtmlValue
}

export const NO_FORM_PROBLEMS: FormProblems = { name: null, settings: {}, whole: null }

/** The reason why the server cannot send alerts to a kind of integration. */
export interface Lack {
  readonly kind: ChannelKind
  /** true if the operator has turned this kind off; users then cannot add such integrations */
  readonly isOff: boolean
  /** sentence that explains how to fix the problem */
  readonly remedy: HtmlValue
}

export function offWords({ remedy }: Lack): Html {
  return html`This service is turned off on this server. ${remedy}`
}

/**
 * Returns messages for values that passed the form's validation but were rejected by the service.
 * @returns null for a refusal that is not about values
 */
export function refusalProblems({ code, message }: Refusal): FormProblems | null {
  switch (code) {
    case 'over-limit':
      return { ...NO_FORM_PROBLEMS, whole: sentence(message) }
    case 'channel-settings-invalid':
      // The error message may contain a stored secret.
      return { ...NO_FORM_PROBLEMS, whole: sentence(redact(message)) }
    case 'group-members-invalid':
      return { ...NO_FORM_PROBLEMS, settings: MEMBERS_INVALID }
    default:
      return null
  }
}

/**
 * Returns messages about hosts with private addresses. Only administrators see the name of the setting that allows them.
 * @param hosts private hosts, by field
 */
export function hostMistakes({ actor }: ProjectVisit, hosts: Readonly<Record<string, string>>): Mistakes {
  const remedy = actor.by.isAdministrator
    ? 'set INTEGRATIONS_ALLOW_PRIVATE_IPS=True on the server'
    : 'ask the administrator to allow private addresses'
  const words = (host: string) => `${host} is a private address. Use a public host, or ${remedy}.`
  return Object.fromEntries(Object.entries(hosts).map(([field, host]) => [field, words(host)]))
}
