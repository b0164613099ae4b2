/** What the form of an integration says about what it was filled with. */
import type { ChannelKind } from '../../../../domain/channel/channel-kind.ts'
import type { Mistakes } from '../../../../domain/channel/typed-settings.ts'
import type { Refusal } from '../../../../domain/errors.ts'
import { redact } from '../../../../domain/redaction.ts'
import { MEMBERS_INVALID } from '../../../../services/channels/channel-form.ts'
import { type Html, type HtmlValue, html } from '../../html.ts'
import { sentence } from '../../parts/words/text.ts'
import type { ProjectVisit } from '../../route.ts'

export interface FormProblems {
  /** null: there is no problem with it */
  readonly name: string | null
  readonly settings: Mistakes
  /** about the settings as a whole */
  readonly whole: HtmlValue
}

export const NO_FORM_PROBLEMS: FormProblems = { name: null, settings: {}, whole: null }

/** What the server has to be given before it can send to a kind. */
export interface Lack {
  readonly kind: ChannelKind
  /** true: the operator has switched the kind off, so none can be added */
  readonly isOff: boolean
  /** a sentence: what to do about it */
  readonly remedy: HtmlValue
}

export function offWords({ remedy }: Lack): Html {
  return html`This service is switched off on this server. ${remedy}`
}

/**
 * What the form had no mistake for, and is refused all the same.
 * @returns null for a refusal that no form can answer
 */
export function refusalProblems({ code, message }: Refusal): FormProblems | null {
  switch (code) {
    case 'over-limit':
      return { ...NO_FORM_PROBLEMS, whole: sentence(message) }
    case 'channel-settings-invalid':
      // Its message may quote a secret that is stored.
      return { ...NO_FORM_PROBLEMS, whole: sentence(redact(message)) }
    case 'group-members-invalid':
      return { ...NO_FORM_PROBLEMS, settings: MEMBERS_INVALID }
    default:
      return null
  }
}

/** @param hosts that are private, by field. The name of the setting is for administrators */
export function hostMistakes({ actor }: ProjectVisit, hosts: Readonly<Record<string, string>>): Mistakes {
  const remedy = actor.by.isAdministrator
    ? 'set INTEGRATIONS_ALLOW_PRIVATE_IPS=True on the server'
    : 'ask the administrator to allow private addresses'
  const words = (host: string) => `${host} is a private address. Use a public host, or ${remedy}.`
  return Object.fromEntries(Object.entries(hosts).map(([field, host]) => [field, words(host)]))
}
