import type { Messages } from '../messages.ts';

export const settings: Messages['settings'] = {
  sections: {
    you: 'Tú y tus dispositivos',
    look: 'Idioma y aspecto',
    filing: 'Nombres y archivo',
    keys: 'Teclado',
    connections: 'Conexiones',
    roles: 'Funciones del agente',
    bots: 'Bots',
    office: 'Editor de oficina',
    security: 'Seguridad',
    data: 'Tus datos',
    usage: 'Uso y estado',
  },
};
