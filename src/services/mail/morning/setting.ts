/** Reads and changes an account's morning mail settings. */
import type { Account } from '../../../domain/account/account.ts'
import { MORNING_HOURS, MORNING_WISHES, type MorningMail } from '../../../domain/account/morning-setting.ts'
import type { Person } from '../../../domain/actor.ts'
import { Refusal } from '../../../domain/errors.ts'
import type { PlannedMorningMail } from '../../../domain/morning/morning-mail.ts'
import { authorOf } from '../../common/author.ts'
import type { Deps } from '../../common/deps.ts'

type WriteDeps = Pick<Deps, 'store' | 'now' | 'random'>

/** Returns the time of the next mail and the result of the last mail, or null if the person does not want the mail. */
export function getMorningMail({ store }: Pick<Deps, 'store'>, person: Person): Promise<PlannedMorningMail | null> {
  return store.morningMails.find(person.accountId)
}

/** Parses the submitted setting. @param wish one of {@link MORNING_WISHES}, or `off` @throws Refusal `unknown-choice`, `out-of-range` */
export function readMorningMail(wish: string, hour: string): MorningMail | null {
  if (wish === 'off') return null
  const known = MORNING_WISHES.find((one) => one === wish)
  if (!known) {
    throw new Refusal('unknown-choice', `unknown kind of morning mail "${wish}"`, {
      choices: ['off', ...MORNING_WISHES],
    })
  }
  const wanted = MORNING_HOURS.find((one) => String(one) === hour)
  if (wanted !== undefined) return { wish: known, hour: wanted }
  const [minimum = 0, maximum = 0] = [MORNING_HOURS[0], MORNING_HOURS.at(-1)]
  const message = `the morning mail is sent at an hour from ${minimum} to ${maximum}, not at "${hour}"`
  throw new Refusal('out-of-range', message, { minimum, maximum })
}

export function setMorningMail(deps: WriteDeps, person: Person, morningMail: MorningMail | null): Promise<void> {
  return changeMorningMail(deps, person, () => morningMail)
}

/** @param change takes the stored setting and returns the new one */
export async function changeMorningMail(
  deps: WriteDeps,
  person: Person,
  change: (stored: MorningMail | null) => MorningMail | null,
): Promise<void> {
  const changed = (stored: Account): Account => ({ ...stored, morningMail: change(stored.morningMail) })
  await deps.store.by(authorOf(deps, person)).accounts.change(person.accountId, changed, null)
}
