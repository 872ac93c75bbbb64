"""The bilingual lexicon.

Nouns:   Chinese | measure word | English | classes
Masses:  Chinese | container (Chinese) | container (English) | English | classes
Roles, kin, names, places, adjectives: see the heading of each table.
"""

from collections import namedtuple

Noun = namedtuple("Noun", "zh mw en classes container")
Role = namedtuple("Role", "zh mw en classes")
Name = namedtuple("Name", "zh en gender")
Kin = namedtuple("Kin", "zh en gender classes")
Place = namedtuple("Place", "zh prep name to classes")
Adjective = namedtuple("Adjective", "zh en classes")
Time = namedtuple("Time", "zh en kind front")


def rows(text):
    for line in text.strip().splitlines():
        line = line.strip()
        if line and not line.startswith("#"):
            yield tuple(cell.strip() for cell in line.split("|"))


NOUNS = [Noun(zh, mw, en, tuple(classes.split()), None) for zh, mw, en, classes in rows("""
书|本|book|read paper buy lose item study carry print
小说|本|novel|read buy writework lit
杂志|本|magazine|read buy paper print
报纸|份|newspaper|read paper
文章|篇|article|read writework doc
故事|个|story|tell lit writework
信|封|letter|read mail paper
邮件|封|email|read mail email
报告|份|report|read writework doc paper
诗|首|poem|read lit writework
地图|张|map|paper buy item print
词典|本|dictionary|buy study item carry print
合同|份|contract|doc paper
菜单|份|menu|paper
笔记本|本|notebook|buy study item carry lose
电影|部|movie|watch
电视剧|部|TV series|watch
节目|个|program|watch
比赛|场|match|watch game
动画片|部|cartoon|watch
演出|场|performance|watch
音乐会|场|concert|concert
婚礼|场|wedding|wedding
展览|个|exhibition|exhib
会议|个|meeting|work event2
歌|首|song|song
苹果|个|apple|fruit food market
香蕉|根|banana|fruit food market
橘子|个|orange|fruit food market
西瓜|个|watermelon|fruit food market
梨|个|pear|fruit food market
桃子|个|peach|fruit food market
鸡蛋|个|egg|food market
包子|个|steamed bun|food snack
三明治|个|sandwich|food snack
汉堡|个|hamburger|food snack
冰淇淋|个|ice cream|food snack
毛衣|件|sweater|wear colored buy laundry
衬衫|件|shirt|wear colored buy laundry
大衣|件|coat|wear colored buy laundry
外套|件|jacket|wear colored buy laundry
裙子|条|skirt|wearf colored buy laundry
帽子|顶|hat|wear colored buy lose item
围巾|条|scarf|wear colored buy gift laundry
手表|块|watch|buy gift lose item dear
雨伞|把|umbrella|colored buy lose item carry
手机|部|phone|device buy lose item carry dear
电脑|台|computer|device buy dear
照相机|台|camera|device buy lose carry dear
电视|台|television|appliance buy dear
冰箱|台|refrigerator|appliance buy dear
洗衣机|台|washing machine|appliance buy dear
空调|台|air conditioner|appliance buy dear
打印机|台|printer|device buy
机器人|个|robot|toy tech
车|辆|car|vehicle buy dear colored
自行车|辆|bicycle|vehicle2 buy colored gift
摩托车|辆|motorcycle|vehicle buy
出租车|辆|taxi|taxi
飞机|架|plane|bigv
火车|列|train|bigv
船|艘|ship|bigv
桌子|张|table|furn buy
椅子|把|chair|furn buy
沙发|张|sofa|furn buy dear
床|张|bed|furn buy
书架|个|bookshelf|furn buy
灯|盏|lamp|switch buy
镜子|面|mirror|furn buy
房子|套|house|house dear
房间|个|room|room
门|扇|door|open
窗户|扇|window|open
钥匙|把|key|lose item small
盒子|个|box|open2 container
杯子|个|cup|dish small
盘子|个|plate|dish
碗|个|bowl|dish
瓶子|个|bottle|container
刀|把|knife|tool
锤子|把|hammer|tool
猫|只|cat|pet animal small_animal
狗|只|dog|pet animal small_animal
鸟|只|bird|animal flyer small_animal
兔子|只|rabbit|pet animal small_animal
马|匹|horse|animal farm big_animal
牛|头|cow|animal farm big_animal
羊|只|sheep|animal farm
猪|头|pig|animal farm
鸡|只|chicken|farm
鸭子|只|duck|farm small_animal
老虎|只|tiger|wild animal big_animal
熊猫|只|panda|wild animal
猴子|只|monkey|wild animal
大象|头|elephant|wild animal big_animal
狮子|头|lion|wild animal big_animal
蛇|条|snake|wild
老鼠|只|mouse|small_animal
蝴蝶|只|butterfly|flyer
花|朵|flower|plant gift
树|棵|tree|plant bigplant
礼物|件|gift|gift buy
玩具|个|toy|toy buy gift
蛋糕|个|cake|cake food gift
卡片|张|card|gift paper mail
画|幅|painting|art gift
照片|张|photo|photo
票|张|ticket|ticket lose
邮票|张|stamp|paper
钱包|个|wallet|lose item buy gift
书包|个|schoolbag|lose item buy colored gift
行李箱|个|suitcase|item carry buy colored heavy
护照|本|passport|lose item2
笔|支|pen|study buy lose item small
铅笔|支|pencil|study buy item small
球|个|ball|toy buy
吉他|把|guitar|instrument buy
小提琴|把|violin|instrument buy
钢琴|架|piano|instrument dear
问题|个|question|ask
难题|个|problem|problem
错误|个|mistake|mistake
计划|个|plan|plan
主意|个|idea|idea
机会|个|chance|chance
决定|个|decision|decision
句子|个|sentence|lang
词|个|word|lang
汉字|个|Chinese character|lang
梦|个|dream|dream
电话|个|phone call|call
软件|个|app|tech
网站|个|website|tech web
密码|个|password|secret
视频|个|video|watch media
包裹|个|package|mail2 heavy
城市|座|city|citynoun
公园|个|park|placenoun
饭馆|家|restaurant|shopnoun
商店|家|store|shopnoun
医院|家|hospital|placenoun2
银行|家|bank|placenoun2
学校|所|school|placenoun2
桥|座|bridge|built
山|座|mountain|hill
河|条|river|river
湖|个|lake|river
村子|个|village|placenoun
博物馆|座|museum|placenoun museumn
""")]

NOUNS += [Noun(zh, mw, en, tuple(classes.split()), container) for zh, mw, container, en, classes in rows("""
水|杯|glass|water|drink
茶|杯|cup|tea|drink hotdrink
绿茶|杯|cup|green tea|drink hotdrink
咖啡|杯|cup|coffee|drink hotdrink
牛奶|杯|glass|milk|drink
果汁|杯|glass|juice|drink
啤酒|瓶|bottle|beer|drink alcohol
葡萄酒|瓶|bottle|wine|drink alcohol gift
可乐|瓶|bottle|cola|drink
汤|碗|bowl|soup|soup
米饭|碗|bowl|rice|food meal
面条|碗|bowl|noodles|food meal cook
饺子|盘|plate|dumplings|food meal cook
面包|片|slice|bread|food market
牛肉|块|piece|beef|food meat market
巧克力|块|piece|chocolate|food snack gift
豆腐|块|piece|tofu|food market
鞋|双|pair|shoes|wear buy colored
袜子|双|pair|socks|wear buy colored laundry
手套|双|pair|gloves|wear buy colored gift lose
裤子|条|pair|trousers|wear buy colored laundry
眼镜|副|pair|glasses|lose item
耳机|副|pair|headphones|buy lose device2
家具|件|piece|furniture|furn2
行李|件|piece|luggage|heavy
""")]

# Role nouns: polite ones take 位, the others 个.
ROLES = [Role(zh, mw, en, tuple(classes.split())) for zh, mw, en, classes in rows("""
老师|位|teacher|adult edu rel
学生|个|student|stu rel
大学生|个|college student|stu adult
医生|位|doctor|adult med pro
护士|位|nurse|adult med pro
司机|个|driver|adult drv pro
警察|个|police officer|adult pol pro
律师|位|lawyer|adult off pro
经理|位|manager|adult off boss rel
工程师|位|engineer|adult off tech pro
记者|位|reporter|adult wri pro
演员|个|actor|adult art pro
歌手|个|singer|adult sing pro
画家|位|painter|adult paint pro
作家|位|writer|adult wri pro
厨师|个|cook|adult cook pro
服务员|个|waiter|adult serv pro
售货员|个|salesclerk|adult serv pro
农民|个|farmer|adult farm pro
工人|个|worker|adult work pro
科学家|位|scientist|adult sci pro
教授|位|professor|adult edu sci rel
校长|位|principal|adult edu boss
老板|个|boss|adult off boss rel
同事|个|colleague|adult off rel
同学|个|classmate|stu rel
朋友|个|friend|adult rel
邻居|个|neighbor|adult rel
客人|位|guest|adult
病人|个|patient|sick
孩子|个|child|kid
男孩|个|boy|kid m
女孩|个|girl|kid f
老人|位|old man|adult old m
运动员|个|athlete|adult sport pro
教练|位|coach|adult sport rel
导游|个|tour guide|adult tour pro
秘书|个|secretary|adult off rel
游客|个|tourist|adult trav
邮递员|个|mail carrier|adult post pro
""")]

# Kin terms: Chinese | English | gender | classes
KIN = [Kin(zh, en, gender, tuple(classes.split())) for zh, en, gender, classes in rows("""
爸爸|father|m|adult parent
妈妈|mother|f|adult parent
哥哥|older brother|m|adult sib
弟弟|younger brother|m|kid sib
姐姐|older sister|f|adult sib
妹妹|younger sister|f|kid sib
爷爷|grandfather|m|adult old
奶奶|grandmother|f|adult old
叔叔|uncle|m|adult
阿姨|aunt|f|adult
儿子|son|m|kid child
女儿|daughter|f|kid child
妻子|wife|f|adult spouse
丈夫|husband|m|adult spouse
""")]

# Titles that follow a surname: 王老师.
TITLES = {"老师": "Teacher", "医生": "Dr.", "经理": "Manager", "教授": "Professor"}
SURNAMES = [("王", "Wang"), ("李", "Li"), ("张", "Zhang"), ("刘", "Liu"), ("陈", "Chen"), ("赵", "Zhao")]

NAMES = [Name(zh, en, gender) for zh, en, gender in rows("""
李华|Li Hua|m
王芳|Wang Fang|f
张伟|Zhang Wei|m
刘洋|Liu Yang|m
陈静|Chen Jing|f
赵明|Zhao Ming|m
周丽|Zhou Li|f
孙强|Sun Qiang|m
林小雨|Lin Xiaoyu|f
黄磊|Huang Lei|m
吴敏|Wu Min|f
高兰|Gao Lan|f
小明|Xiaoming|m
小红|Xiaohong|f
大卫|David|m
玛丽|Mary|f
汤姆|Tom|m
安娜|Anna|f
约翰|John|m
露西|Lucy|f
彼得|Peter|m
艾米丽|Emily|f
""")]

# Places: Chinese | preposition | English | "to" phrase ("" means "to" + English) | classes
PLACES = [Place(zh, prep, name, to or "to " + name, tuple(classes.split()))
          for zh, prep, name, to, classes in rows("""
家|at|home|home|home
家里|at|home||homein
学校|at|school||school edu go
图书馆|in|the library||quiet edu go public libr
教室|in|the classroom||quiet edu go2 room
宿舍|in|the dormitory||quiet home2 go2
办公室|in|the office||office go2 room
公司|at|the company||office go
工厂|in|the factory||factory go
医院|in|the hospital||hospital go public
银行|at|the bank||bank go public
邮局|at|the post office||post go public
超市|in|the supermarket||shop market go public
市场|at|the market||shop market go public bazaar
商场|in|the mall||shop clothshop go public
书店|in|the bookstore||bookshop go public
饭馆|in|the restaurant||eat go public
咖啡馆|in|the café||cafe quiet eat2 go public
食堂|in|the cafeteria||eat go public
厨房|in|the kitchen||kitchen room
客厅|in|the living room||living room
卧室|in|the bedroom||bedroom room
花园|in|the garden||garden out
院子里|in|the yard||garden out yard
公园|in|the park|to the park|park out go public
操场|on|the sports field||sport out go
体育馆|in|the gym||sport go public
游泳池|in|the swimming pool||pool go
海边|by|the sea|to the seaside|sea out trip
湖边|by|the lake||lake out
河边|by|the river||lake out
山上|on|the mountain||hill out
动物园|at|the zoo||zoo go public out
博物馆|in|the museum||museum go public
美术馆|in|the art gallery||museum go public
电影院|at|the cinema||cinema go public
剧院|at|the theater||theater go public
火车站|at|the train station||station go public
机场|at|the airport||station go public
地铁站|at|the subway station||stop go public
车站|at|the bus stop||stop go2
酒店|in|the hotel||hotel go public
农场|on|the farm||farm go
村子里|in|the village||village
城里|in|the city||town
大学|at|the university||school edu go
街上|on|the street||street out
火车上|on|the train||ontrain
飞机上|on|the plane||onplane
公共汽车上|on|the bus||ontrain
网上|on|the internet||net
国外|abroad|abroad|abroad|abroad
北京|in|Beijing||city trip
上海|in|Shanghai||city trip
广州|in|Guangzhou||city trip
西安|in|Xi'an||city trip
成都|in|Chengdu||city trip
杭州|in|Hangzhou||city trip
南京|in|Nanjing||city trip
香港|in|Hong Kong||city trip
东京|in|Tokyo||city trip abroadcity
纽约|in|New York||city trip abroadcity
伦敦|in|London||city trip abroadcity
巴黎|in|Paris||city trip abroadcity
中国|in|China||country trip
美国|in|the United States||country trip abroadcity
英国|in|England||country trip abroadcity
法国|in|France||country trip abroadcity
德国|in|Germany||country trip abroadcity
日本|in|Japan||country trip abroadcity
加拿大|in|Canada||country trip abroadcity
""")]

# Adjectives: Chinese | English | classes of the subject or noun
ADJECTIVES = [Adjective(zh, en, tuple(classes.split())) for zh, en, classes in rows("""
新|new|buy furn device book appliance house wear vehicle instrument
旧|old|buy furn book wear vehicle
大|big|house room city food_big furn container animal placenoun2
小|small|house room city container dish animal
好|good|film book place
贵|expensive|buy eatplace hotelplace house dear ticket
便宜|cheap|buy market eatplace ticket
漂亮|beautiful|wear wearf flower art city garden placenoun photo
可爱|cute|pet kid small
有意思|interesting|read lit film museum event lang
无聊|boring|film
难|difficult|study2 ask lang
容易|easy|study2 ask lang
重要|important|doc event2 decision chance meet
重|heavy|heavy
干净|clean|room eatplace hotelplace city wear dish
脏|dirty|room dish laundry
安静|quiet|room village libr
热闹|lively|market street2 event
舒服|comfortable|furn hotelplace wear
方便|convenient|tech appliance traffic
好吃|delicious|food meal snack meat cake
甜|sweet|fruit
新鲜|fresh|market fruit meat
聪明|smart|person pet
高|tall|person bigplant
年轻|young|person
老|old|old
忙|busy|person
累|tired|person
高兴|happy|person
难过|sad|person
生气|angry|person
紧张|nervous|person
热情|friendly|person
努力|hardworking|person
认真|serious|stuperson
有名|famous|famous film city museum
健康|healthy|person
饿|hungry|person
渴|thirsty|person
困|sleepy|person
瘦|thin|person
勇敢|brave|person
害羞|shy|person
有耐心|patient|person
善良|kind|person
快|fast|bigv vehicle tech
慢|slow|device
远|far|dist
近|near|dist
深|deep|river
长|long|river2
""")]

COLORS = [tuple(r) for r in rows("""
红|red
黑|black
白|white
蓝|blue
绿|green
黄|yellow
""")]

LANGUAGES = [tuple(r) for r in rows("""
汉语|Chinese
英语|English
法语|French
日语|Japanese
德语|German
西班牙语|Spanish
""")]

SUBJECTS = [tuple(r) for r in rows("""
数学|math
历史|history
音乐|music
化学|chemistry
物理|physics
地理|geography
""")]

SPORTS = [tuple(r) for r in rows("""
打 篮球|play basketball
踢 足球|play soccer
打 乒乓球|play table tennis
打 网球|play tennis
打 羽毛球|play badminton
""")]

DIGITS = dict(rows("""
一|one
两|two
三|three
四|four
五|five
六|six
七|seven
八|eight
九|nine
十|ten
十一|eleven
十二|twelve
""")) 

NUMBERS = {int(n): (zh, en) for n, zh, en in rows("""
1|一|one
2|二|two
3|三|three
4|四|four
5|五|five
6|六|six
7|七|seven
8|八|eight
9|九|nine
10|十|ten
11|十一|eleven
12|十二|twelve
13|十三|thirteen
14|十四|fourteen
15|十五|fifteen
16|十六|sixteen
17|十七|seventeen
18|十八|eighteen
20|二十|twenty
25|二十五|twenty-five
30|三十|thirty
35|三十五|thirty-five
40|四十|forty
45|四十五|forty-five
50|五十|fifty
60|六十|sixty
70|七十|seventy
80|八十|eighty
90|九十|ninety
100|一百|one hundred
200|两百|two hundred
300|三百|three hundred
500|五百|five hundred
800|八百|eight hundred
1000|一千|one thousand
2000|两千|two thousand
3000|三千|three thousand
5000|五千|five thousand
8000|八千|eight thousand
""")}

HOURS = [("一点", "one"), ("两点", "two"), ("三点", "three"), ("四点", "four"), ("五点", "five"),
         ("六点", "six"), ("七点", "seven"), ("八点", "eight"), ("九点", "nine"), ("十点", "ten"),
         ("十一点", "eleven"), ("十二点", "twelve")]

MONTHS = [("一月", "January"), ("二月", "February"), ("三月", "March"), ("四月", "April"),
          ("五月", "May"), ("六月", "June"), ("七月", "July"), ("八月", "August"),
          ("九月", "September"), ("十月", "October"), ("十一月", "November"), ("十二月", "December")]

ORDINALS = [(1, "一", "first"), (2, "二", "second"), (3, "三", "third"), (4, "四", "fourth"),
            (5, "五", "fifth"), (6, "六", "sixth"), (8, "八", "eighth"), (10, "十", "tenth"),
            (12, "十二", "twelfth"), (15, "十五", "fifteenth"), (18, "十八", "eighteenth"),
            (20, "二十", "twentieth"), (25, "二十五", "twenty-fifth"), (30, "三十", "thirtieth")]

WEEKDAYS = [("星期一", "Monday"), ("星期二", "Tuesday"), ("星期三", "Wednesday"), ("星期四", "Thursday"),
            ("星期五", "Friday"), ("星期六", "Saturday"), ("星期天", "Sunday")]

SEASONS = [("春天", "spring"), ("夏天", "summer"), ("秋天", "autumn"), ("冬天", "winter")]

# Time expressions: aligned template | tense | part of the day it allows
TIMES = [tuple(r) for r in rows("""
昨天|yesterday|past|any
昨天 上午|yesterday morning|past|day
昨天 下午|yesterday afternoon|past|day
昨天 晚上|last^1,2 night^1,2|past|eve
前天|the day before yesterday|past|any
上 个 星期|last week|past|any
上 个 月|last month|past|any
去年|last year|past|long
去年 夏天|last summer|past|long
上个周末|last weekend|past|any
刚才|just now|past|now
三 天 以前|three days ago|past|any
两 年 以前|two years ago|past|long
上 星期五|last Friday|past|any
上 星期二|last Tuesday|past|any
上 星期四|last Thursday|past|any
上 星期天|last Sunday|past|any
今天 早上|this morning|past|day
昨天 早上|yesterday^1 morning^2|past|dawn
小时候|as a child|past|child
明天|tomorrow|fut|any
明天 上午|tomorrow morning|fut|day
明天 早上|tomorrow morning|fut|dawn
明天 下午|tomorrow afternoon|fut|day
明天 晚上|tomorrow evening|fut|eve
后天|the day after tomorrow|fut|any
下 个 星期|next week|fut|any
下 个 月|next month|fut|any
明年|next year|fut|long
明年 春天|next spring|fut|long
这个周末|this weekend|fut|any
下 星期一|next Monday|fut|any
下 星期三|next Wednesday|fut|any
下 星期二|next Tuesday|fut|any
下 星期四|next Thursday|fut|any
今天 晚上|tonight^1,2|fut|eve
每天^1,2|every^1 day^2|hab|any
每天 早上|every^1,3 morning^2|hab|day
每天^1 晚上^2|every^1 evening^2|hab|eve
每天^1 下午^2|every^1 afternoon^2|hab|day
每个^1 周末^2|every^1 weekend^2|hab|any
每个^1 星期天^2|every^1 Sunday^2|hab|any
周末^1|on^1 weekends^1|hab|any
下班 以后^2|after^2 work|hab|eve
放学 以后^2|after^2 school|hab|kid
""")]

# Finer classes that only a few verbs need.
FINER_CLASSES = {name: words.split() for name, words in rows("""
book_borrow|书 小说 词典 杂志
book_read|书 小说 杂志 报纸
card|卡片
doc_sign|合同 报告
drinkmilk|牛奶 果汁 啤酒 可乐
food_cold|鸡蛋 牛肉 豆腐 蛋糕 冰淇淋
fruit_cut|苹果 西瓜 梨
furn_soft|沙发
furn_wipe|桌子 椅子 镜子 窗户
hatlike|帽子 围巾 雨伞
instrument_small|吉他 小提琴
lang_s|句子 词
lit_story|故事
lose_key|钥匙 护照
mail_paper|信 卡片
map_|地图
mouse_k|老鼠
park_n|公园
school_n|学校
bird_only|鸟
river_lake|湖
open_window|窗户
shoe|鞋
soft|袜子 手套 帽子
small_glass|杯子 镜子 瓶子
tech_app|软件
umb|雨伞
vehicle_car|车
wear_c|毛衣 衬衫 大衣 外套 裙子 裤子 鞋
hat_c|帽子 围巾 手套 手表 眼镜
luggage_|行李
film|电影 电视剧 动画片
""")}

NOUNS = [noun._replace(classes=noun.classes + tuple(
    name for name, words in FINER_CLASSES.items() if noun.zh in words)) for noun in NOUNS]

NOUN = {noun.zh: noun for noun in NOUNS}
PLACE = {place.zh: place for place in PLACES}
