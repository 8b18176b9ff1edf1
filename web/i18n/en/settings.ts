export const settings = {
  sections: {
    you: 'You and your devices',
    look: 'Language and look',
    filing: 'Names and filing',
    keys: 'Keyboard',
    connections: 'Connections',
    roles: 'Roles of the agent',
    bots: 'Bots',
    office: 'Office editor',
    security: 'Security',
    data: 'Your data',
    usage: 'Usage and health',
  },
};
