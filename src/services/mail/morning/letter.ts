/** Composes a morning mail. It describes the night in the same way as the account owner's night page. */
import type { Account } from '../../../domain/account/account.ts'
import type { MorningWish } from '../../../domain/account/morning-setting.ts'
import type { Person } from '../../../domain/actor.ts'
import type { Mail } from '../../../domain/carrier/mail.ts'
import { morningUrl } from '../../../domain/mail/links.ts'
import { mailingId } from '../../../domain/mail/mailing.ts'
import { isWrong, type MorningFoot, morningContent } from '../../../domain/morning/content.ts'
import { morningMail } from '../../../domain/morning/mail.ts'
import { eveningBefore } from '../../../domain/morning/morning-mail.ts'
import { LONG_PAUSE, type PausedCheck } from '../../../domain/morning/rest-words.ts'
import { clockOf } from '../../../domain/night/outcome-words.ts'
import { nameOf } from '../../../domain/night/sentence.ts'
import { nightOf } from '../../../domain/night/window.ts'
import type { Instant } from '../../../lib/time.ts'
import { inBatches } from '../../../lib/work/batches.ts'
import type { Deps } from '../../common/deps.ts'
import { type NightDeps, type ReadNight, readNight } from '../../overview/night.ts'

export type LetterDeps = NightDeps & Pick<Deps, 'now' | 'site'>

interface Letter {
  readonly account: Account
  readonly wish: MorningWish
  /** the morning hour that the mail is for */
  readonly slot: Instant
}

/** @returns null if the account has no access to any check, or if there were no problems and its owner only wants mails about problems */
export async function writeLetter(deps: LetterDeps, { account, wish, slot }: Letter): Promise<Mail | null> {
  const { site, now, eventLoop } = deps
  const { id, email, tz } = account
  const window = nightOf(eveningBefore(slot, tz), tz)
  const read = await readNight(deps, personOf(account), window, tz, now())
  const hasNothing = read.checks === 0 && read.night.groups.every(({ place }) => place.isRead)
  if (hasNothing || (wish === 'trouble' && !isWrong(read))) return null
  const paused = await readPaused(deps, read)
  const at = now()
  // This takes several milliseconds if there are many checks.
  return eventLoop.step(async () => {
    const content = morningContent({ ...read, paused }, site.links, tz, at)
    return morningMail(content, {
      id: mailingId(id, 'morning', slot),
      address: email,
      foot: footOf(deps, account, wish, at),
      unsubscribeUrl: morningUrl(site.links, id, email, 'off', site.secret),
    })
  })
}

/** Returns the account's owner as the person who views the page. */
function personOf({ id, email, isAdministrator }: Account): Person {
  return { kind: 'person', accountId: id, email, isAdministrator, address: null }
}

function footOf({ site }: LetterDeps, { id, email, tz }: Account, wish: MorningWish, at: Instant): MorningFoot {
  const link = (purpose: 'off' | 'trouble') => morningUrl(site.links, id, email, purpose, site.secret)
  return {
    words: `Sent at ${clockOf(at.epochMilliseconds, tz)} to ${email}.`,
    links: [
      ...(wish === 'trouble' ? [] : [{ label: 'Only when something is wrong', url: link('trouble') }]),
      { label: 'Stop these mails', url: link('off') },
    ],
  }
}

/** Number of pauses per read. A read takes a few milliseconds. */
const PAUSES_AT_ONCE = 50

/** Returns when each pause that the mail may mention began. Omits pauses whose start is unknown. */
async function readPaused(
  { store, eventLoop, now }: LetterDeps,
  { night }: ReadNight,
): Promise<readonly PausedCheck[]> {
  const latest = now().epochMilliseconds - LONG_PAUSE
  const rows = night.groups.flatMap(({ notDue }) => notDue)
  const paused = rows.filter(({ check }) => check.status === 'paused' && check.createdAt.epochMilliseconds <= latest)
  const found: PausedCheck[] = []
  for (const some of inBatches(paused, PAUSES_AT_ONCE)) {
    const switchedAt = await eventLoop.step(() => store.flips.listSwitches(some.map(({ check }) => check.id)))
    for (const row of some) {
      const since = switchedAt.get(row.check.id)?.epochMilliseconds
      if (since !== undefined) found.push({ name: nameOf(row), since })
    }
  }
  return found
}
