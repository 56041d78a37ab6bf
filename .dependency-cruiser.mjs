/**
 * Who may import whom; `npm run check` checks it, and `tests/house/import-directions.test.ts` that it does.
 * A feature is a folder of `src/islands`. It imports what lies below it, never another feature.
 */
const browser = '^src/(?:islands|shared|session|ui|voice|pages|layouts|components|content|styles)/'

const foundations =
  'config|process|db|http|jobs|mail|realtime|telephony|payment-provider|identity|observability|languages|limits|ledger|spending|tariff|redis|backup'
const features = 'accounts|contacts|calls|payments|referrals|support|admin|reconciliation|dev'
/** They put the server together, or are started as commands. Nothing imports them. */
const composers =
  '^server/(?:app|start|main|workers|admin|backup|doctor|ledger-check|limits-page|restore|trunk)\\.ts$'

/** What the files of one part of the browser's code may import besides themselves and packages. */
function part(name, below) {
  const allowed = [name, 'lib', ...below].map(part => `^src/${part}/`)
  return {
    name: `src/${name}`,
    severity: 'error',
    comment: `src/${name} imports only itself${below.length > 0 ? `, ${below.map(part => `src/${part}`).join(', ')}` : ''} and src/lib.`,
    from: { path: `^src/${name}/`, pathNot: '\\.test\\.tsx?$' },
    to: { path: '^(?:src|server|tests|scripts)/', pathNot: allowed },
  }
}

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    {
      name: 'no-circles',
      severity: 'error',
      comment: 'Files that import each other in a circle cannot be read, tested or loaded apart.',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'src/lib',
      severity: 'error',
      comment:
        'src/lib runs anywhere: it imports itself, zod/mini, the phone number library, and the parsers of ICU messages.',
      from: { path: '^src/lib/', pathNot: '\\.test\\.ts$' },
      to: {
        pathNot:
          '^src/lib/|^node_modules/(?:zod/|libphonenumber-js/|@formatjs/icu-messageformat-parser/|@schummar/icu-type-parser/)',
      },
    },
    part('voice', []),
    part('session', []),
    part('ui', []),
    part('shared', ['session', 'ui', 'voice']),
    part('islands', ['shared', 'session', 'ui', 'voice']),
    {
      name: 'features-apart',
      severity: 'error',
      comment: 'A feature does not import another. What two share moves down to src/shared and gets a name.',
      from: { path: '^src/islands/([^/]+)/', pathNot: '\\.test\\.tsx?$' },
      to: { path: '^src/islands/', pathNot: '^src/islands/$1/' },
    },
    {
      name: 'no-server-in-the-browser',
      severity: 'error',
      comment: 'Nobody imports the server but itself, the scripts and the tests.',
      from: { path: '^src/', pathNot: '\\.test\\.tsx?$' },
      to: { path: '^(?:server|scripts|tests)/' },
    },
    {
      name: 'server-foundations',
      severity: 'error',
      comment: 'What the features of the server stand on imports none of them.',
      from: { path: `^server/(?:(?:${foundations})/|context\\.ts$)`, pathNot: '\\.test\\.ts$' },
      to: { path: [`^server/(?:${features}|doctor)/`, composers] },
    },
    {
      name: 'server-features-apart',
      severity: 'error',
      comment: 'A feature of the server imports another only through the file that bears its name.',
      from: {
        path: `^server/(${features})/`,
        pathNot: ['\\.test\\.ts$', '^server/admin/admin-socket\\.ts$', '^server/dev/'],
      },
      to: {
        path: [`^server/(?:${features})/`, composers],
        pathNot: ['^server/$1/', '^server/([^/]+)/\\1\\.ts$'],
      },
    },
    {
      name: 'server',
      severity: 'error',
      comment: 'The server imports itself and src/lib.',
      from: { path: '^server/', pathNot: '\\.test\\.ts$' },
      to: { path: [browser, '^tests/', '^node_modules/(?:react|react-dom|astro|nanostores)/'] },
    },
    {
      name: 'voice-vendor',
      severity: 'error',
      comment: 'Vendor words stop at the adapter: src/voice and server/telephony/twilio.',
      from: { path: '^(?:src|server)/', pathNot: '^src/voice/|^server/telephony/twilio/' },
      to: { path: '^node_modules/(?:@twilio|twilio)/' },
    },
    {
      name: 'sip',
      severity: 'error',
      comment: 'Words of SIP stop at server/telephony/trunk.',
      from: { path: '^(?:src|server)/', pathNot: '^server/telephony/trunk/' },
      to: { path: '^node_modules/sip\\.js/' },
    },
    {
      name: 'payment-vendor',
      severity: 'error',
      comment: 'Vendor words stop at the adapter: server/payment-provider/stripe.',
      from: { path: '^(?:src|server)/', pathNot: '^server/payment-provider/stripe/' },
      to: { path: '^node_modules/stripe/' },
    },
    {
      name: 'installed-in-production',
      severity: 'error',
      comment:
        'What builds and runs the product is in `dependencies`: production is installed without the others.',
      from: { path: '^(?:src|server|scripts/build)/', pathNot: '\\.test\\.tsx?$' },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'stores-without-react',
      severity: 'error',
      comment: 'Sessions and telephones are stores; React renders them.',
      from: { path: '^src/(?:session|voice)/', pathNot: '\\.test\\.tsx?$' },
      to: { path: '^node_modules/(?:react|react-dom|@nanostores/react)/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '\\.(?:css|svg|png|mdx?|astro)(?:\\?|$)' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
    },
  },
}
