/** Previews a report or a reminder as it would be sent now. */
import { type Actor, may } from '../../domain/actor.ts'
import { type MailBlock, mailParts, withoutTargets } from '../../domain/mail/layout.ts'
import type { MailingKind } from '../../domain/mail/mailing.ts'
import { withoutPingSecrets } from '../../domain/redaction.ts'
import { type MailingDraft, type MailingWordsDeps, mailingWords } from './mailing-words.ts'

export interface MailingPreview {
  readonly subject: string
  readonly text: string
  /** a complete HTML document, in which links have no target */
  readonly html: string
}

/**
 * Previews a mailing. The unsubscribe link is omitted, because it would work for anyone who sees the preview. Ping URLs and keys are
 * removed for read-only members.
 * @returns null if nothing would be sent
 */
export async function previewMailing(
  deps: MailingWordsDeps,
  actor: Actor,
  kind: MailingKind,
  settings: MailingDraft['settings'],
): Promise<MailingPreview | null> {
  const { project } = actor
  const words = await mailingWords(deps, {
    kind,
    projectId: project.id,
    projectName: project.name,
    settings,
    slot: deps.now(),
  })
  if (words === null) return null
  const { subject, reason, ...page } = words
  const partsWith = (unsubscribe: MailBlock) =>
    mailParts({ ...page, footer: [{ kind: 'paragraph', text: reason }, unsubscribe] })
  const { text } = partsWith({ kind: 'paragraph', text: 'Unsubscribe: the link is in the email only.' })
  const { html } = partsWith({ kind: 'link', label: 'Unsubscribe', url: '#' })
  const shown = may(actor, 'write') ? (said: string) => said : withoutPingSecrets
  return { subject: shown(subject), text: shown(text), html: shown(withoutTargets(html)) }
}
