/** Converts the reports and reminders of users to settings of the email integration that has the user's address. */
import { exactEmail } from '../../domain/account/account.ts'
import type { ImportedChannel } from '../../domain/import/import-source.ts'
import { mailChannel, NewMailChannelSettings } from '../../domain/mail/mail-channel.ts'
import { fits, type Static } from '../../domain/schema.ts'
import type { SourceUser } from './accounts.ts'
import type { Note } from './notes.ts'

/** @param users users who see the project @returns the channels, some of them with changed settings */
export function withMailings(
  channels: ReadonlyMap<string, ImportedChannel>,
  users: readonly SourceUser[],
  project: string,
  note: Note,
): ReadonlyMap<string, ImportedChannel> {
  const changed = new Map(channels)
  for (const user of users.filter(({ report, reminder }) => report !== null || reminder !== null)) {
    const { email, tz } = user.account
    const asked = wordsOf(user)
    const found = [...changed].find(([, channel]) => isUsable(channel) && addressOf(channel) === email)
    if (found === undefined) {
      const reason = `They get ${asked}, but the project has no email integration with their address.`
      const advice = 'Add one and choose its reports and reminders, if needed.'
      note({ kind: 'to-do', subject: 'account', name: email, project, reason, advice })
      continue
    }
    const [row, channel] = found
    const settings = typeof channel.settings === 'string' ? { value: channel.settings } : channel.settings
    const periods = { report: user.report ?? 'off', reminder: user.reminder ?? 'off', tz }
    changed.set(row, { ...channel, settings: Object.assign({}, settings, periods) })
    const reason = `They get ${asked} through the email integration with their address. Here, each email is about one project.`
    note({ kind: 'changed', subject: 'account', name: email, project, reason })
  }
  return changed
}

function wordsOf({ report, reminder }: SourceUser): string {
  const words = [report && `${report} reports`, reminder && `${reminder} reminders`].filter((word) => word !== null)
  return words.join(' and ')
}

function isUsable({ kind, disabledReason, awaitsConfirmation }: ImportedChannel): boolean {
  return kind === 'email' && disabledReason === null && !awaitsConfirmation
}

function addressOf({ settings }: ImportedChannel): string | null {
  if (!fits(NewMailChannelSettings, settings)) return null
  return exactEmail(mailChannel(settings as Static<typeof NewMailChannelSettings>).address)
}
