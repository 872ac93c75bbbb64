"""Verb phrases: `Chinese = English # options`.

Options: s (subject classes), o (object classes), at (places where it happens),
to / into (places of the slots {to} / {in}), m (act: all aspects; ach: no
progressive; stat: simple present), t (times of day it can combine with),
flags (rel: may head a relative clause, skill: something one can learn,
imp: can be asked for, def: definite object, hab: objects are bare in habits).
"""

from grammar import parse_frames

ACTIONS = parse_frames("""
// reading, writing, study
看* {o} = read {o} # o=read at=quiet,home,ontrain,onplane,park,cafe flags=imp,hab
读* {o} = read^1 {o} aloud^1 # o=lit at=edu,yard flags=imp,def s=stu
写* {o} = write {o} # o=writework at=quiet,office flags=rel,imp s=adult
写* {o} = write {o} # o=mail at=quiet,home flags=rel s=adult
学* {lg} = study {lg} # s=person at=edu,country t=any,day,eve,long flags=skill2,social
学* {sj} = study {sj} # s=stu at=edu t=any,day,eve flags=
复习* {sj} = review {sj} # s=stu at=quiet t=any,day,eve flags=imp
练习* 写^1 汉字^2 = practice writing^1 Chinese^2 characters^2 # s=stu at=quiet,home t=any,day,eve flags=imp
练习* 口语 = practice speaking # s=stu at=edu,park t=any,day,eve flags=imp,social
做* 作业 = do^1 POSS^2 homework^2 # s=stu at=quiet,home t=any,eve,day flags=imp,poss
参加* 考试 = take^1 an^2 exam^2 # s=stu at=edu t=any,day m=ach
教* {p} {lg} = teach {p} {lg} # s=adult t=any,eve,long
教* {sj} = teach {sj} # s=edu at=edu t=any,day,long
查* 词典 = use^1 the^2 dictionary^2 # s=stu t=any,now m=ach flags=imp
准备* 考试 = prepare for^2 the^2 exam^2 # s=stu at=quiet t=any,eve,day flags=imp
翻译* {o} = translate {o} # o=doc,lit s=adult at=office,quiet flags=rel,imp
打印* {o} = print {o} # o=doc s=adult at=office flags=rel,imp m=ach
签* {o} = sign {o} # o=doc_sign s=boss m=ach t=any,day
改* {o} = correct {o} # o=mistake s=edu m=ach
学* 弹^1 钢琴^2 = learn to^1 play^1 the^2 piano^2 # s=kid,person t=any,eve,long
借* {o} = borrow {o} # o=book_borrow s=stu at=libr m=ach flags=rel
还* {o} = return {o} # o=book_borrow s=stu m=ach flags=def
回答* {o} = answer {o} # o=ask s=stu m=ach flags=def,imp t=any,now
问* {p} 一个^1 问题^2 = ask {p} a^1 question^2 # s=stu m=ach t=any,now
检查* {o} = check {o} # o=doc s=off at=office flags=def,imp
背* 课文 = memorize the^2 text^2 # s=stu at=quiet,yard t=any,day,eve flags=imp
写* 日记 = write^1 in^2 POSS^2 diary/s^2 # s=person at=bedroom t=any,eve flags=poss
上* 汉语^2 课^3 = have^1 a^3 Chinese^2 class^3 # s=stu t=any,day at=edu
预习* 新^2 课^3 = prepare^1 the^3 new^2 lesson^3 # s=stu t=any,eve at=quiet

// media, music, arts
看* {o} = watch {o} # o=watch at=home,living t=any,eve,now flags=imp,hab
看* 电视^2 = watch television^2 # at=living,home t=any,eve,now flags=imp,social
看* 新闻^2 = watch the^2 news^2 # s=adult at=living,home t=any,eve,day
看* {o} = watch {o} # o=game at=sport,home t=any,eve,day flags=
看* 电影^2 = watch movies^2 # at=cinema,home m=habit t=any,eve flags=social
听* 音乐^2 = listen^1 to^1 music^2 # at=bedroom,home,ontrain,onplane,park t=any,day,eve,now flags=imp,social
听* 广播^2 = listen^1 to^1 the^2 radio^2 # s=adult at=kitchen,home t=any,day,eve
听* {o} = listen^1 to^1 {o} # o=song at=bedroom,home,ontrain t=any,eve,now flags=imp
唱* {o} = sing {o} # o=song at=theater,park,home s=person flags=skill,imp t=any,eve
唱歌 = sing # at=theater,park m=habit t=any,eve,day flags=skill,social
跳舞 = dance # at=park,theater,home m=habit2 t=any,eve flags=skill,social
画* {o} = paint {o} # o=art s=paint,kid at=garden,living flags=rel,imp
画画 = draw # s=kid at=garden,living,park m=habit2 t=any,day flags=skill,social
弹* 吉他 = play the^2 guitar^2 # at=living,park,bedroom t=any,eve flags=skill
弹* 钢琴 = play the^2 piano^2 # at=living,theater t=any,eve,day flags=skill
拉* 小提琴 = play the^2 violin^2 # at=theater,bedroom t=any,eve flags=skill
拍* {o} = take {o} # o=photo s=trav,adult at=park,sea,street flags=rel
参观* {o} = visit {o} # o=exhib,museumn s=person t=any,day flags=social,def
听* {o} = listen^1 to^1 {o} # o=concert s=person at=theater t=any,eve flags=social,def
下棋 = play^1 chess^1 # s=adult at=park,yard m=habit2 t=any,eve,day flags=skill,social
参加* {o} = attend {o} # o=concert,wedding,event2 s=adult t=any,day m=ach flags=def
买* 电影票 = buy movie^2 tickets^2 # at=net,cinema t=any,day,now m=ach flags=imp

// food
吃* {o} = eat {o} # o=food at=eat,kitchen,cafe flags=rel,imp,hab t=any,day,now
吃* 早饭 = have breakfast # at=kitchen,eat,home t=dawn flags=imp,social
吃* 午饭 = have lunch # at=eat,office,home t=any flags=imp,noclock,social
吃* 晚饭 = have dinner # at=eat,home t=eve flags=imp,social,noclock
喝* {o} = drink {o} # o=drink at=kitchen,cafe,living,office flags=imp,hab t=any,now
喝* {o} = drink {o} # o=soup at=kitchen,eat flags=imp,hab t=any,eve
做* 饭 = cook # at=kitchen,home t=any,eve s=adult flags=skill3,social
煮* {o} = cook {o} # o=cook at=kitchen s=adult t=any,eve flags=imp
包* 饺子 = make dumplings # at=kitchen,home s=adult t=any,eve flags=skill,social
做* {o} = make {o} # o=cake at=kitchen s=adult flags=rel,skill4 t=any,day
洗* 碗 = wash^1 the^2 dishes^2 # at=kitchen t=any,eve flags=imp
尝* {o} = taste {o} # o=snack,soup m=ach flags=imp,def t=any,now
点* {o} = order {o} # o=meal,snack,soup,hotdrink at=eat m=ach t=any,now flags=rel
切* {o} = cut {o} # o=meat,cake at=kitchen s=adult m=ach flags=def,imp t=now,any
请 {p} 吃* 饭 = treat^1 {p} to^2 a^3 meal^3 # s=adult t=any,eve m=ach
倒 茶 = pour^1 some^2 tea^2 # s=serv m=prog t=any

// shopping, things
买* {o} = buy {o} # o=buy at=shop,net s=person flags=rel m=ach
买* {o} = buy {o} # o=market at=market s=adult flags=rel,imp m=ach
买* {o} = buy {o} # o=dear s=adult flags=rel m=ach t=any,long
卖* {o} = sell {o} # o=vehicle,house s=adult flags= m=ach t=any,long
卖* {o} = sell {o} # o=fruit at=bazaar s=farm t=any,day flags=hab
穿* {o} = wear {o} # o=wear_c t=any m=wear flags=
戴* {o} = wear {o} # o=hat_c t=any m=wear flags=
送* {p} {o} = give {p} {o} # o=gift s=adult m=ach t=any
收到* {o} = receive {o} # o=gift,card,mail2 m=recv t=any,now,day flags=rel
寄* {o} = send {o} # o=mail2,card at=post s=adult m=ach flags=rel,imp
换* 钱 = change money # at=bank s=trav,adult m=ach t=any,day flags=imp
付* 钱 = pay^1 the^2 money^2 # at=shop s=adult m=ach t=now
取* 钱 = withdraw money # at=bank s=adult m=ach t=any,day flags=imp
逛街 = go^1 shopping^1 # at=town,city m=habit t=any,day flags=social
试* {o} = try^1 on^1 {o} # o=wear at=clothshop m=ach flags=def,imp t=now
用* {o} = use {o} # o=device s=adult at=office,home flags=def,imp t=any,now
修* {o} = repair {o} # o=device,vehicle,vehicle2,appliance s=adult flags=rel,def,skill4 t=any,day
打开* {o} = open {o} # o=open,open2 m=ach flags=def,imp t=now
关上* {o} = close {o} # o=open m=ach flags=def,imp t=now
擦* {o} = wipe {o} # o=furn_wipe s=adult flags=def,imp t=any
丢* {o} = lose {o} # o=lose m=recv t=any,day flags=
找* {o} = look^1 for^1 {o} # o=lose s=person flags=def t=now,any m=act2
搬* {o} = carry {o} # o=heavy s=adult m=act flags=def,imp t=any,now
收拾* {o} = tidy^1 up^1 {o} # o=room flags=def,imp t=any,day
打扫* {o} = clean {o} # o=room flags=def,imp t=any,day
洗* {o} = wash {o} # o=laundry flags=def,imp t=any,day s=adult at=yard
洗* 衣服 = wash^1 clothes^2 # s=adult at=home t=any,day,eve flags=imp
洗* 手 = wash^1 POSS^2 hands^2 # m=ach2 t=now flags=imp,poss
带* {o} = bring {o} # o=item m=ach flags=imp t=any
设计* {o} = design {o} # o=web,house,built s=tech flags=rel t=any,long at=office
开发* {o} = develop {o} # o=tech s=tech flags=rel t=long,any at=office
下载* {o} = download {o} # o=tech_app,media,song s=adult m=ach flags=imp t=any,now
忘记* {o} = forget {o} # o=secret m=recv s=adult t=any flags=def
上网 = surf^1 the^1 internet^1 # at=bedroom,cafe m=habit2 t=any,eve
发* {o} = send {o} # o=email,media s=adult at=office m=ach flags=rel,imp t=any,day,now
玩* 电脑^2 游戏^3 = play computer^2 games^3 # at=bedroom,home s=kid,stu t=any,eve
换* {o} = change {o} # o=secret s=adult m=ach flags=def,imp t=any,now

// work
上班 = go^1 to^1 work^1 # s=adult m=habit t=any,dawn
加班 = work^1 overtime^1 # s=off,adult at=office m=habit2 t=any,eve
开会 = have^1 a^1 meeting^1 # s=off at=office m=habit2 t=any,day
讨论* {o} = discuss {o} # o=plan,idea,problem s=off at=office flags=def,imp t=any,day
解决* {o} = solve {o} # o=problem s=off,tech,sci m=ach flags=def t=any,day
面试 = have^1 a^1 job^1 interview^1 # s=adult m=habit3 t=any,day
找* 工作 = look^1 for^1 a^2 job^2 # s=adult at=net,town,city t=any,long
换* 工作 = change jobs # s=adult m=ach t=long,any
做* 实验 = do experiments # s=sci at=edu t=any,day flags=social
治疗* 病人^2 = treat patients^2 # s=med at=hospital t=any,day
照顾* 病人^2 = take^1 care^1 of^1 the^2 patients^2 # s=med at=hospital t=any,eve,day
照顾* {p} = take^1 care^1 of^1 {p} # s=adult t=any,day
种* 菜 = grow vegetables # s=farm,old at=garden,village t=any,long
种* 花^2 = plant flowers^2 # s=adult at=garden t=any,day
浇* 花^2 = water^1 the^2 flowers^2 # s=adult at=garden t=any,day flags=imp
开* 车^2 = drive # s=adult m=act t=any,day flags=skill5
送* 信^2 = deliver^1 letters^2 # s=post t=any,day m=act
介绍* 自己 = introduce SELF # s=stu m=ach2 t=now flags=imp,poss
写* 代码 = write code # s=tech at=office t=any,eve
赚* 钱 = earn^1 money^2 # s=adult m=habit4 at=town,abroad
搬* 家 = move^1 house^2 # s=adult m=ach t=any,long

// home, family, people
帮* {p} 做^1 饭^1 = help {p} cook^1 # s=adult,kid t=any,eve flags=
帮* {p} 搬^1 行李^2 = help {p} carry^1 the^2 luggage^2 # s=adult t=any,now m=act flags=
帮* {p} 打扫^1 房间^2 = help {p} clean^1 the^2 room^2 # t=any,day flags=
跟^2 {p} 聊天^1 = chat^1 with^2 {p} # at=cafe,office,living m=habit2 t=any,eve
跟^2 {p} 见面^1 = meet^1 with^2 {p} # s=adult at=cafe,station,stop m=ach2 t=any,day flags=
跟^2 {p} 散步^1 = take^1 a^1 walk^1 with^2 {p} # at=park,lake,sea m=habit2 t=any,eve
给^2 {p} 打^1* 电话^3 = call^1,3 {p} # s=adult m=act t=any,eve,now flags=imp
给^2 {p} 发^1* 短信^3 = send^1 {p} a^3 text^3 message^3 # s=adult m=ach t=any,now flags=imp
给^2 {p} 买^1* {o} = buy^1 {p} {o} # o=gift s=adult m=ach t=any,day at=shop
给^2 {p} 讲^1* {o} = tell^1 {p} {o} # o=lit_story s=old,parent,edu t=any,eve m=ach
拜访* {p} = visit {p} # s=adult m=ach t=any,long
看望* {p} = visit {p} # s=adult m=ach t=any
邀请* {p} = invite {p} # s=adult m=ach t=any,now
感谢* {p} = thank {p} # s=adult m=ach t=now,any
等* {p} = wait^1 for^1 {p} # at=stop,station,cafe s=adult t=any,day,now flags=imp
认识* {p} = meet {p} # s=adult m=recv at=city,edu t=any,long
遇到* {p} = run^1 into^1 {p} # s=adult m=recv at=street,station,shop t=any,day
批评* {p} = criticize {p} # s=boss m=ach t=any,now
表扬* {p} = praise {p} # s=edu,boss m=ach t=any
陪^3 {p} 逛街^1 = go^1 shopping^1 with^3 {p} # s=adult m=habit2 t=any,day
接* {p} = pick^1 up^1 {p} # s=adult at=station m=ach t=any,day,eve flags=imp
过* 生日 = celebrate POSS^2 birthday/s^2 # at=home,eat m=ach t=any flags=poss
结婚 = get^1 married^1 # s=adult m=once t=any,long
睡觉 = sleep # at=bedroom,ontrain,onplane m=prog t=any
起床 = get^1 up^1 # m=daily t=dawn
刷* 牙 = brush POSS^2 teeth^2 # m=ach2 t=dawn,eve flags=imp,poss,noclock
洗澡 = take^1 a^1 shower^1 # m=habit2 t=eve,dawn flags=imp
休息 = rest # at=home,living,bedroom m=habit2 t=any,eve
回* 家 = go home # m=ach2 t=any,eve,now flags=imp
出门 = go^1 out^1 # m=daily t=dawn

// travel, places
去* {to} = go {to} # to=go m=go t=any,day flags=imp,social
去* {to} = go {to} # to=trip s=adult m=go t=any,long flags=social
来* {city} = come^1 to^1 {city} # s=adult m=go t=any,long
坐^2 飞机^3 去^1* {city} = go^1 to^1 {city} by^2 plane^3 # s=adult m=go t=any
坐^2 火车^3 去^1* {city} = go^1 to^1 {city} by^2 train^3 # s=adult m=go t=any
坐^2 地铁^3 去^1* {to} = go^1 {to} by^2 subway^3 # to=office,edu,shop s=adult m=go t=any,day
开车^2 去^1* {to} = drive^2,1 {to} # to=office,shop,sport,sea s=adult m=go t=any,day
骑^2 自行车^3 去^1* {to} = go^1 {to} by^2 bicycle^3 # to=edu,shop,park m=go t=any,day
走路^2 去^1* {to} = walk^2,1 {to} # to=edu,shop,park m=go t=any,day
坐* 公共汽车 = take^1 the^2 bus^2 # m=ach t=any,day flags=imp
坐* 出租车^2 = take^1 a^2 taxi^2 # s=adult m=ach t=any,eve flags=imp
等* 公共汽车 = wait^1 for^1 the^2 bus^2 # at=stop m=act t=any,day,now
去^1 {to} 旅行^2 = travel^2,1 {to} # to=trip s=adult m=gofut t=any,long flags=social
去^1 {to} 出差^2 = go^1 {to} on^2 business^2 # to=city s=off,adult m=gofut t=any
去^1 {to} 买^2 东西^3 = go^1 {to} to^2 buy^2 things^3 # to=shop m=gofut t=any,day flags=social
去^1 {to} 看^2 病^2 = go^1 {to} to^2 see^2 a^2 doctor^2 # to=hospital m=gofut t=any,day
去^1 {to} 借^2 书^3 = go^1 {to} to^2 borrow^2 books^3 # to=libr m=gofut s=stu t=any,day
去^1 {to} 看^2 动物^3 = go^1 {to} to^2 see^2 the^3 animals^3 # to=zoo m=gofut t=any,day flags=social
去^1 {to} 看^2 电影^3 = go^1 {to} to^2 watch^2 a^3 movie^3 # to=cinema m=gofut t=any,eve flags=social
去^1 {to} 接^2 {p} = go^1 {to} to^2 pick^2 up^2 {p} # to=station m=gofut s=adult t=any,day
订* 酒店 = book a^2 hotel^2 # s=adult at=net m=ach t=any,now flags=imp
订* 机票 = book a^2 plane^2 ticket^2 # s=adult at=net m=ach t=any,now flags=imp
坐* 船^2 = take^1 a^2 boat^2 # s=adult m=ach t=any,day
爬* 山^2 = climb^1 mountains^2 # s=adult m=act2 t=any,day flags=imp,social
买* 火车票 = buy^1 a^2 train^2 ticket^2 # s=adult at=station,net m=ach t=any,day
租* {o} = rent {o} # o=vehicle_car,house,room s=adult m=ach t=any,long flags=rel
问路 = ask^1 for^1 directions^1 # s=trav at=street m=habit2 t=any,now
迷路 = get^1 lost^1 # s=trav,kid at=city,park m=recv2 t=any
拍照 = take^1 pictures^1 # s=person at=sea,park,lake m=habit2 t=any,day flags=imp2
换* 火车 = change trains # s=adult at=city m=ach t=any

// sports, health
{sp} = {sp} # at=sport s=person m=habit2 t=any,day flags=skill,imp2,social
游泳 = swim # at=pool,sea m=habit2 t=any,day flags=skill,social
跑步 = run # at=park,sport m=habit2 t=any,day flags=imp2,social
散步 = take^1 a^1 walk^1 # at=park,lake,sea m=habit2 t=any,eve flags=social
滑冰 = skate # at=lake m=habit2 t=any flags=skill,social
骑* 马 = ride a^2 horse^2 # at=farm m=act t=any,day flags=skill
骑* 自行车 = ride a^2 bicycle^2 # at=park,street m=act t=any,day flags=skill,social
锻炼* 身体 = exercise # at=sport,park m=act t=any,day flags=imp
钓* 鱼 = fish # s=adult,old at=lake m=act t=any,day flags=skill,social
打* 太极拳 = do tai^2 chi^2 # s=old at=park m=act t=day,any flags=skill,social
做* 运动 = do sports # at=sport m=act t=any,day
吃* 药 = take medicine # s=sick,old m=act t=day,eve,now flags=imp
看* 医生^2 = see a^2 doctor^2 # m=ach t=any,day flags=imp
感冒 = catch^1 a^1 cold^1 # m=recv t=any
生病 = get^1 sick^1 # m=recv t=any
发烧 = have^1 a^1 fever^1 # m=recv t=any s=kid,person
输* {o} = lose {o} # o=game m=recv t=any,day s=sport flags=def
赢* {o} = win {o} # o=game m=recv t=any,day s=sport flags=def
看* 日出 = watch^1 the^2 sunrise^2 # at=hill,sea m=act t=dawn s=person flags=noclock,social
看* 星星 = look^1 at^1 the^2 stars^2 # at=hill,yard m=act t=eve s=person flags=social
放* 风筝 = fly^1 a^2 kite^2 # s=kid at=park m=act t=any,day flags=social
捉* {o} = catch {o} # o=flyer s=kid at=garden m=ach t=any,day

// animals
喂* {o} = feed {o} # o=pet,farm s=adult,kid flags=def,imp t=any,day at=
遛* 狗 = walk^1 the^2 dog^2 # at=park,street m=act t=any,eve,day flags=imp,social
养* {o} = keep {o} # o=pet s=person m=keep t=any,long
""")
