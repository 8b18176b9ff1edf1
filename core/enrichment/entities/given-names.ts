/** Given names that distinguish two capitalised words from the name of a place or a thing. */
export const GIVEN_NAMES: ReadonlySet<string> = new Set(
  `james john robert michael william david richard joseph thomas charles christopher daniel matthew anthony mark donald
   steven paul andrew joshua kenneth kevin brian george edward ronald timothy jason jeffrey ryan jacob gary nicholas eric
   jonathan stephen larry justin scott brandon benjamin samuel gregory frank alexander raymond patrick jack dennis jerry
   tyler aaron jose henry adam douglas nathan peter zachary kyle walter harold carl arthur roger keith jeremy lawrence
   sean christian ethan austin oliver harry noah liam lucas oscar leo simon tom ben sam nick alan ian neil colin graham
   mary patricia jennifer linda elizabeth barbara susan jessica sarah karen nancy lisa margaret betty sandra ashley dorothy
   kimberly emily donna michelle carol amanda melissa deborah stephanie rebecca laura sharon cynthia kathleen helen amy
   shirley angela anna brenda pamela nicole ruth katherine samantha christine emma catherine virginia rachel carolyn janet
   maria heather diane julie joyce victoria kelly christina joan evelyn lauren judith olivia martha cheryl megan andrea
   ann alice jane hannah jacqueline sophie sophia chloe lucy grace charlotte ella mia amelia kate claire alison fiona
   hans peter klaus jurgen wolfgang dieter manfred uwe gunter horst bernd werner stefan thomas andreas michael martin
   matthias jan jens lars sven felix maximilian moritz paul jonas lukas tobias florian sebastian karl friedrich heinrich
   ursula monika petra sabine renate helga karin brigitte ingrid erika gisela claudia susanne gabriele heike anja katrin
   julia lena lea katharina franziska johanna greta jean pierre michel philippe alain nicolas christophe laurent francois
   jacques bernard olivier julien antoine guillaume luc marie nathalie isabelle sylvie catherine francoise valerie celine
   camille juliette chloe manon juan antonio manuel francisco javier carlos miguel pedro luis angel fernando jorge alberto
   alvaro pablo diego sergio rafael alejandro carmen josefa isabel dolores pilar teresa cristina lucia elena marta sofia
   ana rosa beatriz ivan sergei sergey dmitri dmitry alexei alexey alexander andrei andrey mikhail nikolai vladimir
   oleg igor pavel yuri viktor maxim anton denis roman artem kirill natalia olga tatiana irina ekaterina svetlana
   yulia anastasia ksenia daria polina galina lyudmila valentina vera nadezhda nina ahmed mohammed muhammad ali omar fatima
   priya raj anil wei li ming yuki hiroshi
   александр сергей дмитрий алексей андрей михаил николай владимир олег игорь павел юрий виктор максим антон денис роман
   артем артём кирилл иван петр пётр евгений василий григорий константин станислав вадим руслан тимур егор илья никита
   матвей лев глеб степан федор фёдор борис леонид валерий геннадий анатолий вячеслав георгий семен семён ярослав
   наталья наталия ольга татьяна ирина екатерина светлана юлия анастасия ксения дарья полина галина людмила валентина вера
   надежда нина елена анна мария марина оксана алла лариса тамара зоя инна яна алина алиса софья варвара вероника кристина
   лидия раиса любовь евгения александра виктория маргарита диана карина
   марк давид эдуард альберт тихон платон савелий захар игнат богдан родион мирон эмма ева злата милана полина лена маша катя саша миша дима коля оля таня наташа света`
    .trim()
    .split(/\s+/),
);
