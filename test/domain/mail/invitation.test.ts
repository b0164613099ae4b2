import { describe, expect, test } from 'bun:test'
import { invitationMail, knownAccountMail, signUpMail } from '../../../src/domain/mail/invitation.ts'

const WORDS = {
  id: 'id',
  address: 'bob@example.org',
  siteName: 'Overdue',
  url: 'https://overdue.test/invitation/TOKEN',
}
const INVITATION = { ...WORDS, projectName: 'Harbour Books', invitedBy: 'ann@example' }

describe('an invitation', () => {
  test('says who invites to what, how long it works, and what to do with it', () => {
    const { html, text, ...head } = invitationMail(INVITATION)
    expect(head).toEqual({
      id: 'id',
      to: 'bob@example.org',
      subject: 'Invitation to Overdue',
      unsubscribeUrl: null,
    })
    expect(text.replaceAll('\u2060', '')).toBe(`Invitation to Overdue

ann@example invites you to the project "Harbour Books" on Overdue, which alerts people when a job did not run. The link works once, within seven days.

Join the project:
https://overdue.test/invitation/TOKEN

If you don't know the sender, ignore this email: nothing happens.
`)
    expect(html).toContain('href="https://overdue.test/invitation/TOKEN"')
    expect(invitationMail({ ...INVITATION, invitedBy: '' }).text).toContain('Somebody invites you')
  })

  test('makes no link and no second header of what people wrote', () => {
    const hostile = `<b>https://evil.example/${'x'.repeat(300)}</b>`
    const { html, text } = invitationMail({ ...INVITATION, projectName: hostile })
    expect(html).not.toContain('<b>')
    expect(text).not.toContain('https://evil.example')
    expect(text).not.toContain('x'.repeat(60))
    expect(invitationMail({ ...INVITATION, siteName: 'My\r\nBcc: x@y.z' }).subject).toBe('Invitation to My Bcc: x@y.z')
  })
})

test('who asked for an account gets a link to make it; who has one is told to sign in', () => {
  const [fresh, known] = [signUpMail(WORDS), knownAccountMail({ ...WORDS, url: 'https://overdue.test/sign-in' })]
  expect(fresh.text).toContain(
    'This link creates an account for bob@example.org on Overdue. It works once, within a day.',
  )
  expect(known.text).toContain('You already have one: sign in.')
  expect(known.text).toContain('https://overdue.test/sign-in\n')
  // Who reads only the subject over a shoulder does not learn it either.
  expect(known.subject).toBe(fresh.subject)
})
