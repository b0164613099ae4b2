/** `/admin`: whether this server works, for administrators. Its form sends them a test email. */
import type { MailAnswer } from '../../../../../domain/carrier/mail.ts'
import { Refusal } from '../../../../../domain/errors.ts'
import { countTest } from '../../../../../services/common/asked-mail.ts'
import { sendTestMail } from '../../../../../services/mail/mail-test.ts'
import { createReadiness } from '../../../../../services/server/readiness.ts'
import { readServerHealth } from '../../../../../services/server/server-health.ts'
import { contextOf } from '../../../context.ts'
import type { PageDeps } from '../../../page.ts'
import type { AccountVisit, FrameContent, Route } from '../../../route.ts'
import { adminRoute } from '../../new-route.ts'
import { ADMIN_TABS } from '../tabs.ts'
import { healthPage, type MailTest } from './page.ts'

export function adminHealthRoutes(deps: PageDeps): readonly Route[] {
  const readiness = createReadiness(deps)
  const hasMail = deps.operator.EMAIL_HOST !== undefined
  const page = async (visit: AccountVisit, tested: MailTest | null): Promise<FrameContent> => {
    const { version, startedAt } = deps.ownProcess
    const health = await readServerHealth(deps, readiness, visit.person)
    return healthPage({
      ...contextOf(deps, visit),
      health,
      place: deps.place,
      instance: { name: deps.instance.name, version, startedAt },
      email: visit.account.email,
      hasMail,
      tested,
    })
  }
  return [
    adminRoute('GET', ADMIN_TABS.health.path, (visit) => page(visit, null)),
    adminRoute('POST', ADMIN_TABS.health.path, async (visit) => {
      if (!hasMail)
        throw new Refusal(
          'mail-off',
          'EMAIL_HOST is not set, so no email can be sent; set EMAIL_HOST=mail.example.org',
          { setting: 'EMAIL_HOST' },
        )
      deps.tests.take(visit)
      countTest(deps, visit.account.email)
      const { name: siteName, links } = deps.site
      const mail = { id: deps.random.uuid(), to: visit.account.email, siteName, links }
      const error = errorOf(await sendTestMail(deps.carriers.mail, mail))
      return await page(visit, { error })
    }),
  ]
}

function errorOf(answer: MailAnswer): string | null {
  if (answer.kind === 'accepted') return null
  return answer.kind === 'refused' ? `${answer.stage} refused: ${answer.response}` : answer.error
}
