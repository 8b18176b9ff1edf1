import type { Messages } from '../messages.ts';

export const hidden: Messages['hidden'] = {
  zone: 'Zona oculta',
  hidden: 'Ocultos',
  list: 'Documentos ocultos, los más recientes primero',
  openTitle: 'Abrir la zona oculta',
  setTitle: 'Elegir un PIN para la zona oculta',
  stayTitle: 'Seguir en la zona oculta',
  openWhy:
    'Con el PIN correcto, lo que has ocultado se muestra en esta ventana hasta que se cierre.',
  setWhy:
    'Lo que ocultes solo se muestra con este PIN. Sin él no se ve ni cuántos son. Recuérdalo bien.',
  pin: 'PIN, de 4 a 12 caracteres',
  showPin: 'Mostrar el PIN',
  open: 'Abrir',
  setAndOpen: 'Elegir y abrir',
  stay: 'Dejar abierta',
  wrongPin: 'Ese no era el PIN.',
  afterFive: 'Tras cinco errores seguidos no se admite ninguno durante 15 minutos.',
  lockedUntil: (time: string) => `Demasiados PIN erróneos. El siguiente se admite a las ${time}.`,
  closes: 'Se cierra a los 15 minutos y cuando pasas a otra ventana.',
  leavesNothing:
    'No deja rastro: ni en la dirección, ni en el título, ni en el historial o los datos del navegador, ni en las notificaciones.',
  isOpen: 'La zona oculta está abierta',
  onlyHere: 'Solo en esta ventana, y no se guarda nada de ella.',
  closesSoon: 'Se cierra en menos de un minuto.',
  timeLeft: 'Tiempo restante',
  lockNow: 'Bloquear ahora',
  lockZone: 'Bloquear la zona oculta',
  askThese: 'Preguntar sobre estos',
  showAgain: 'Mostrar de nuevo',
  hide: 'Ocultar',
  hiddenOne: 'Oculto',
  conversation: 'Esta conversación se elimina cuando se cierra la zona.',
  chatsLeft:
    'No se pudo eliminar una conversación de una visita anterior. Sigue oculta y se eliminará la próxima vez que se abra la zona.',
  nothing: 'No hay nada oculto',
  howToHide: 'Selecciona documentos en la biblioteca y elige «Ocultar».',
  rests:
    'Los enlaces que lo muestran a otros quedan en pausa mientras está oculto. Ningún modelo lo describe; lo que preguntes sobre él queda en una conversación que desaparece al cerrarse la zona.',
};
