/** `overdue account suspend`, `unsuspend` and `sign-out`. */
import { OPERATOR } from '../../domain/actor.ts'
import { count } from '../../domain/duration.ts'
import { signOutEverywhere, suspendAccount, unsuspendAccount } from '../../services/accounts/administration.ts'
import type { Context } from '../command.ts'

/** `overdue account suspend` */
export async function suspend({ openDeps, positionals: [name = ''], print }: Context): Promise<undefined> {
  const { email } = await suspendAccount(await openDeps(), OPERATOR, name)
  print({ email, suspended: true }, `${email} is suspended; its sessions and links have ended`)
}

/** `overdue account unsuspend` */
export async function unsuspend({ openDeps, positionals: [name = ''], print }: Context): Promise<undefined> {
  const { email } = await unsuspendAccount(await openDeps(), OPERATOR, name)
  print({ email, suspended: false }, `${email} can sign in again`)
}

/** `overdue account sign-out` */
export async function signOut({ openDeps, positionals: [email = ''], print }: Context): Promise<undefined> {
  const ended = await signOutEverywhere(await openDeps(), OPERATOR, email)
  print({ ended }, `ended ${count(ended, 'session')}`)
}
