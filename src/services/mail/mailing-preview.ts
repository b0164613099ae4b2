/** A report or a reminder as it would be sent now. */
import { type Actor, may } from '../../domain/actor.ts'
import { type MailBlock, mailParts } from '../../domain/mail/layout.ts'
import type { MailingKind } from '../../domain/mail/mailing.ts'
import { withoutPingSecrets } from '../../domain/redaction.ts'
import { plainHtml } from '../../lib/mime/plain-html.ts'
import { type MailingDraft, type MailingWordsDeps, mailingWords } from './mailing-words.ts'

export interface MailingPreview {
  readonly subject: string
  readonly text: string
  /** without styles and links */
  readonly html: string
}

/**
 * The link that unsubscribes the receiver is left out: it would work for whoever sees the preview. Who may only read sees
 * nothing that would allow pings.
 * @returns null when nothing would be sent
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
  const { title, tone, blocks, reason, subject } = words
  const footer: readonly MailBlock[] = [
    { kind: 'paragraph', text: reason },
    { kind: 'paragraph', text: 'Unsubscribe: the link is in the email only.' },
  ]
  const { text, html } = mailParts({ title, tone, blocks, footer })
  const shown = may(actor, 'write') ? (said: string) => said : withoutPingSecrets
  return { subject: shown(subject), text: shown(text), html: shown(plainHtml(html)) }
}
