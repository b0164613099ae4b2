/** The list of a project's checks. */
import type { Page } from '../../page.ts'
import chips from '../../styles/chips.css' with { type: 'text' }
import checkRows from './check-rows.css' with { type: 'text' }
import checks from './checks.css' with { type: 'text' }
import checksFit from './checks-fit.css' with { type: 'text' }
import { checksView, readerOf } from './live.ts'
import { checksMenu } from './menu.ts'
import { checksRoutes } from './routes.ts'

export const page = {
  routes: checksRoutes,
  menu: checksMenu,
  help: 'pages#the-list-of-checks',
  styles: [chips, checks, checkRows, checksFit],
  live: {
    checks: (deps, visit) => checksView(deps, readerOf(visit), 'runs'),
    'checks-24h': (deps, visit) => checksView(deps, readerOf(visit), '24h'),
  },
  fixtures: {
    'GET /p/:project/checks': { for: 'read' },
    'POST /p/:project/checks': { for: 'write', form: { action: 'pause', all: '1' } },
    'POST /p/:project/view': { for: 'read', form: { rows: 'dense', picture: 'runs' } },
    'POST /p/:project/undo': { for: 'write', form: { token: 'none' } },
  },
} satisfies Page
