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
      text: `The account of ${data.from} at ${site} gets this address by the link. It works once, within an hour.`,
    },
    { kind: 'button', label: 'Use this address', url: data.url },
    { kind: 'paragraph', text: "If you didn't ask for it, ignore it: nothing changes without the link." },
  ])
}

/** To the new address, when it belongs to another account. @param from the present address of who asked */
export function emailTakenMail(data: Common & { readonly from: string }): Mail {
  const site = oneLine(data.siteName)
  const text = `Whoever uses the account of ${data.from} at ${site} asked to give it this address. It has an account of its own already, so nothing was changed.`
  return plainMail(data, `This address has an account at ${site}`, [{ kind: 'paragraph', text }])
}

/** To the address that the account had. @param to the one that it has now */
export function emailChangedMail(data: Common & { readonly to: string }): Mail {
  const site = oneLine(data.siteName)
  const text = `Your account at ${site} has the address ${data.to} now. If that was not you, ask whoever runs the server for help at once.`
  return plainMail(data, `The address of your account at ${site} has changed`, [{ kind: 'paragraph', text }])
}
