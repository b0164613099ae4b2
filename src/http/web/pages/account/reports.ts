/** `/account/reports`: settings for the morning mail, and for reports and reminders that all projects send to the account's address. */

import type { Account } from '../../../../domain/account/account.ts'
import { may } from '../../../../domain/actor.ts'
import type { PlannedMorningMail } from '../../../../domain/morning/morning-mail.ts'
import { canMailLinks } from '../../../../services/accounts/mailed-links.ts'
import { getMorningMail, readMorningMail, setMorningMail } from '../../../../services/mail/morning/setting.ts'
import {
  endOwnMailings,
  listOwnSubscriptions,
  OWN_AT_ONCE,
  type OwnSubscription,
  type OwnSubscriptions,
  setOwnPeriods,
} from '../../../../services/mail/own-subscriptions.ts'
import { contextOf, type PageContext } from '../../context.ts'
import { projectPath } from '../../href.ts'
import { type Html, html } from '../../html.ts'
import type { PageDeps } from '../../page.ts'
import { channelName } from '../../parts/channels.ts'
import { empty } from '../../parts/empty.ts'
import { submit } from '../../parts/forms/buttons.ts'
import { readOffset } from '../../parts/forms/offset.ts'
import { bdi } from '../../parts/words/text.ts'
import { zoneLine } from '../../parts/words/times.ts'
import type { AccountVisit, FrameContent, PageAnswer, Route } from '../../route.ts'
import { accountRoute } from '../new-route.ts'
import { readPeriods, subscriptionCard } from '../reports/subscription-card.ts'
import { MORNING_ACTION, morningCard } from './morning-card.ts'
import { ACCOUNT_PATHS, accountTabs } from './tabs.ts'

const PATH = ACCOUNT_PATHS.reports

/** @param hasSignIn false if a proxy signs users in */
export function accountReportsRoutes(deps: PageDeps, hasSignIn: boolean): readonly Route[] {
  return [
    accountRoute('GET', PATH, async (visit) => {
      const { person, account } = visit
      const from = readOffset(visit.url.searchParams)
      const [own, planned] = await Promise.all([listOwnSubscriptions(deps, person, from), getMorningMail(deps, person)])
      const canMail = canMailLinks(deps)
      return accountReportsPage({ ...contextOf(deps, visit), hasSignIn, account, planned, canMail, own, from })
    }),
    accountRoute('POST', PATH, (visit) => save(deps, visit)),
  ]
}

const ALL_OFF = { name: 'action', value: 'all-off' } as const

async function save(deps: PageDeps, { form, person }: AccountVisit): Promise<PageAnswer> {
  const action = form.text(ALL_OFF.name)
  if (action === ALL_OFF.value) {
    await setMorningMail(deps, person, null)
    await endOwnMailings(deps, person)
    return { kind: 'redirect', to: PATH, done: 'reports-off' }
  }
  if (action === MORNING_ACTION.value) {
    await setMorningMail(deps, person, readMorningMail(form.text('morning'), form.text('hour')))
    return { kind: 'redirect', to: PATH, done: 'saved' }
  }
  const { channelId, periods } = readPeriods(form)
  await setOwnPeriods(deps, person, channelId, periods)
  return { kind: 'redirect', to: PATH, done: 'reports-saved' }
}

interface AccountReportsData extends PageContext {
  readonly hasSignIn: boolean
  readonly account: Account
  readonly planned: PlannedMorningMail | null
  /** false if the server sends no email */
  readonly canMail: boolean
  readonly own: OwnSubscriptions
  /** number of rows to skip */
  readonly from: number
}

function accountReportsPage(data: AccountReportsData): FrameContent {
  const { href, hasSignIn, account, from, tz } = data
  const { email } = account
  const { shown, total, canEnd } = data.own
  const allOff = html`<form method="post" action="${href(PATH)}">${submit({ text: 'Turn all off', field: ALL_OFF })}</form>`
  const isFixed = shown.some(({ actor }) => !may(actor, 'write'))
  const next = from + shown.length
  const more =
    next < total && html`<p><a href="${href(PATH)}?from=${next}">Next ${Math.min(OWN_AT_ONCE, total - next)}</a></p>`
  return {
    layout: 'frame',
    help: 'channels#reports-and-reminders',
    title: 'Reports',
    crumbs: [{ path: ACCOUNT_PATHS.account, text: 'Account' }],
    isNarrow: true,
    intro: html`Emails other than alerts that ${bdi(email)} gets from all of your projects.`,
    ...(canEnd || account.morningMail !== null ? { actions: allOff } : {}),
    body: html`<div class="stack">${accountTabs(href, PATH, hasSignIn)}${morningCard({ ...data, action: href(PATH) })}${
      total === 0
        ? empty({
            title: 'No integration sends to your address',
            text: html`No integration of your projects sends emails to ${bdi(email)}.`,
          })
        : shown.map((subscription) => ownCard(data, subscription))
    }${more}${isFixed && html`<p class="help">Some of these can only be changed by members of the project. Each email has a link to unsubscribe.</p>`}${zoneLine(tz)}</div>`,
  }
}

function ownCard({ href, now, tz }: AccountReportsData, subscription: OwnSubscription): Html {
  const { actor, channel } = subscription
  const { slug, name } = actor.project
  const path = href(projectPath(slug, 'reports'))
  return subscriptionCard({
    subscription,
    title: html`${bdi(name)}: ${channelName(channel)}`,
    action: may(actor, 'write') ? href(PATH) : null,
    previewPath: (kind) => `${path}/${channel.id}?kind=${kind}`,
    now,
    tz,
  })
}
