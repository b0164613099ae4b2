/** The emails about another address of an account. */
import { oneLine } from '../../lib/text/text.ts'
import type { Mail } from '../carrier/mail.ts'
import { type Addressed, plainMail } from './layout.ts'

interface Common extends Addressed {
  readonly siteName: string
}

/** To the new address. @param from the present one */
export function newEmailMail(data: Common & { readonly from: string; readonly url: string }): Mail {
  const site = oneLine(data.siteName)
  return plainMail(data, `Your new address for ${site}`, [
    {
      kind: 'paragraph',
      text: `Use the link to change the email of your account on ${site} from ${data.from} to this address. It works once, within an hour.`,
    },
    { kind: 'button', label: 'Use this address', url: data.url },
    { kind: 'paragraph', text: "If you didn't ask for this, ignore this email: nothing changes." },
  ])
}

/** To the new address, when it belongs to another account. @param from the present address of who asked */
export function emailTakenMail(data: Common & { readonly from: string }): Mail {
  const site = oneLine(data.siteName)
  const text = `The owner of the account ${data.from} on ${site} asked to change its email to this address. This address already has an account, so nothing was changed.`
  return plainMail(data, `This address already has an account on ${site}`, [{ kind: 'paragraph', text }])
}

/** To the address that the account had. @param to the one that it has now */
export function emailChangedMail(data: Common & { readonly to: string }): Mail {
  const site = oneLine(data.siteName)
  const text = `The email of your account on ${site} is now ${data.to}. If you did not change it, ask the administrator of the server for help at once.`
  return plainMail(data, `The email of your account on ${site} has changed`, [{ kind: 'paragraph', text }])
}
