/** Messages about the values in the form of an integration. */
import type { ChannelKind } from '../../../../domain/channel/channel-kind.ts'
import type { Mistakes } from '../../../../domain/channel/typed-settings.ts'
import type { Refusal } from '../../../../domain/errors.ts'
import { redact } from '../../../../domain/redaction.ts'
import { MEMBERS_INVALID } from '../../../../services/channels/channel-form.ts'
import { type Html, type HtmlValue, html } from '../../html.ts'
import { sentence } from '../../parts/words/text.ts'
import type { ProjectVisit } from '../../route.ts'

export interface FormProblems {
  /** null: the name has no problem */
  readonly name: string | null
  readonly settings: Mistakes
  /** message about the settings as a whole */
  readonly whole: HtmlValue
}

export const NO_FORM_PROBLEMS: FormProblems = { name: null, settings: {}, whole: null }

/** The settings of the server that a kind needs and that are missing. */
export interface Lack {
  readonly kind: ChannelKind
  /** true: the operator has switched the kind off, so no integration of it can be added */
  readonly isOff: boolean
  /** a sentence about how to fix it */
  readonly remedy: HtmlValue
}

export function offWords({ remedy }: Lack): Html {
  return html`This service is switched off on this server. ${remedy}`
}

/**
 * Returns the problems of values in which the form found no mistake, but which a service refuses.
 * @returns null for a refusal that no form can answer
 */
export function refusalProblems({ code, message }: Refusal): FormProblems | null {
  switch (code) {
    case 'over-limit':
      return { ...NO_FORM_PROBLEMS, whole: sentence(message) }
    case 'channel-settings-invalid':
      // The message may quote a stored secret.
      return { ...NO_FORM_PROBLEMS, whole: sentence(redact(message)) }
    case 'group-members-invalid':
      return { ...NO_FORM_PROBLEMS, settings: MEMBERS_INVALID }
    default:
      return null
  }
}

/** @param hosts private hosts, by field. The name of the setting is for administrators */
export function hostMistakes({ actor }: ProjectVisit, hosts: Readonly<Record<string, string>>): Mistakes {
  const remedy = actor.by.isAdministrator
    ? 'set INTEGRATIONS_ALLOW_PRIVATE_IPS=True on the server'
    : 'ask the administrator to allow private addresses'
  const words = (host: string) => `${host} is a private address. Use a public host, or ${remedy}.`
  return Object.fromEntries(Object.entries(hosts).map(([field, host]) => [field, words(host)]))
}
